// SPDX-License-Identifier: GPL-2.0-only
/*
 * Invariant: what a module's object says is true of every image that had the module mapped at or
 * after stamp.changed_ns. Files are kept open for it, which is why their number is bounded: the one
 * that was not used for longest is closed, forgotten, and read again when somebody asks.
 */
#include "processes/mapped_files.h"

#include <libiberty/ansidecl.h>
#include <libiberty/hashtab.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "elf/debug_files.h"
#include "elf/object.h"

#define MAX_LOADED  256
#define MAX_IDLE_NS 30000000000ULL /* builds and shells start the same programs again */

static const char deleted[] = " (deleted)";

struct modules {
	htab_t table;
	const struct source *sources;
	const char *symfs;
	size_t nr_loaded, loaded_bytes;
	size_t max_bytes; /* of loaded_bytes */
	uint64_t uses;
	hashval_t seed;
};

/* ---- identity ---- */

/* Below it are addresses of 32-bit processes, whose vDSO is another one. */
#define FIRST_64_BIT_ONLY (1ULL << 32)

static bool has_prefix(const char *text, const char *prefix)
{
	return !strncmp(text, prefix, strlen(prefix));
}

/* Memory without a file has many names; perf's records have others than maps. */
static bool is_anonymous(const char *path)
{
	static const char *const prefixes[] = {
		"//anon", "[anon", "/dev/zero (deleted)", "/anon_hugepage", "/SYSV",
	};
	size_t i;

	for (i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
		if (has_prefix(path, prefixes[i]))
			return true;
	return path[0] == '\0';
}

static enum module_kind classify(const struct mapping *mapping, struct mapping *identity)
{
	*identity = (struct mapping){.path = mapping->path};
	if (is_anonymous(mapping->path)) {
		identity->path = "[anon]";
		return MODULE_ANONYMOUS;
	}
	if (!strcmp(mapping->path, "[heap]") || has_prefix(mapping->path, "[stack"))
		return MODULE_ANONYMOUS;
	if (!strcmp(mapping->path, "[vdso]") && mapping->start >= FIRST_64_BIT_ONLY)
		return MODULE_VDSO;
	if (mapping->path[0] == '[')
		return MODULE_OTHER;
	identity->major = mapping->major;
	identity->minor = mapping->minor;
	identity->inode = mapping->inode;
	return MODULE_FILE;
}

static hashval_t hash_identity(const struct modules *modules, const struct mapping *identity)
{
	const uint64_t numbers[] = {identity->major, identity->minor, identity->inode};

	return iterative_hash(identity->path, strlen(identity->path),
			      iterative_hash(numbers, sizeof(numbers), modules->seed));
}

static hashval_t hash_module(const void *entry)
{
	const struct module *module = entry;

	return hash_identity(module->modules, &module->identity);
}

/* kind follows from the identity, but for the two vDSOs. */
static int equals_module(const void *entry, const void *key)
{
	const struct module *a = entry, *b = key;

	return a->kind == b->kind && a->identity.inode == b->identity.inode &&
	       a->identity.major == b->identity.major && a->identity.minor == b->identity.minor &&
	       !strcmp(a->identity.path, b->identity.path);
}

/* ---- life ---- */

static void unload(struct module *module)
{
	if (!module->loaded)
		return;
	module->modules->nr_loaded--;
	if (module->object)
		module->modules->loaded_bytes -= object__memory_bytes(module->object);
	object__free(module->object);
	if (module->fd >= 0)
		close(module->fd);
	module->fd = -1;
	module->object = NULL;
	module->build_id = NULL;
	module->loaded = false;
	module->is_kept = false;
	module->tried_by = 0;
}

static void free_module(void *entry)
{
	struct module *module = entry;

	unload(module);
	free((char *)module->identity.path);
	free(module);
}

struct modules *modules__new(const struct source *sources, const char *symfs)
{
	struct modules *modules = calloc(1, sizeof(*modules));

	if (!modules)
		return NULL;
	modules->sources = sources;
	modules->symfs = symfs;
	modules->max_bytes = SIZE_MAX;
	modules->table = htab_try_create(64, hash_module, equals_module, free_module);
	if (!modules->table) {
		free(modules);
		return NULL;
	}
	if (getrandom(&modules->seed, sizeof(modules->seed), GRND_NONBLOCK) < 0)
		modules->seed = 0;
	return modules;
}

void modules__free(struct modules *modules)
{
	if (!modules)
		return;
	htab_delete(modules->table);
	free(modules);
}

static struct module *new_module(const struct module *key)
{
	struct module *module = calloc(1, sizeof(*module));

	if (!module)
		return NULL;
	*module = *key;
	module->fd = -1;
	module->identity.path = strdup(key->identity.path);
	if (!module->identity.path) {
		free(module);
		return NULL;
	}
	return module;
}

struct module *modules__get(struct modules *modules, const struct mapping *mapping)
{
	struct module key = {.modules = modules};
	struct module *module;
	hashval_t hash;
	void **slot;

	key.kind = classify(mapping, &key.identity);
	hash = hash_identity(modules, &key.identity);
	module = htab_find_with_hash(modules->table, &key, hash);
	if (!module) {
		module = new_module(&key);
		if (!module)
			return NULL;
		slot = htab_find_slot_with_hash(modules->table, module, hash, INSERT);
		if (!slot) {
			free_module(module);
			return NULL;
		}
		*slot = module;
	}
	module__ref(module);
	return module;
}

void module__ref(struct module *module)
{
	module->references++;
	module->idle_since_ns = 0;
}

void module__unref(struct module *module)
{
	module->references--;
}

struct forgetting {
	struct modules *modules;
	uint64_t now_ns;
};

static int forget_idle(void **slot, void *context)
{
	const struct forgetting *forgetting = context;
	struct module *module = *slot;

	if (module->references)
		return 1;
	if (!module->idle_since_ns)
		module->idle_since_ns = forgetting->now_ns;
	if (!module->loaded || forgetting->now_ns - module->idle_since_ns > MAX_IDLE_NS)
		htab_clear_slot(forgetting->modules->table, slot);
	return 1;
}

void modules__forget(struct modules *modules, uint64_t now_ns)
{
	struct forgetting forgetting = {modules, now_ns};

	htab_traverse_noresize(modules->table, forget_idle, &forgetting);
}

/* ---- reading ---- */

static int find_oldest(void **slot, void *context)
{
	struct module *module = *slot, **oldest = context;

	if (module->loaded && (!*oldest || module->used < (*oldest)->used))
		*oldest = module;
	return 1;
}

static void bound_loaded(struct modules *modules)
{
	while (modules->nr_loaded > MAX_LOADED || modules->loaded_bytes > modules->max_bytes) {
		struct module *oldest = NULL;

		htab_traverse_noresize(modules->table, find_oldest, &oldest);
		unload(oldest);
	}
}

static void read_sources(struct module *module, const struct module_user *user)
{
	const struct debug_query query = {
		.fd = module->fd,
		.path = module->identity.path,
		.root = module->kind == MODULE_FILE ? files__open_root(&user->witness) : -1,
		.symfs = module->modules->symfs,
	};
	const struct source *source;

	for (source = module->modules->sources; source->name && !module->object; source++)
		if (source->kind == module->kind && source->read(&query, &module->object))
			module->object = NULL;
	if (query.root >= 0)
		close(query.root);
	if (module->object && object__memory_bytes(module->object) > module->modules->max_bytes) {
		object__free(module->object);
		module->object = NULL;
	}
	module->loaded = true;
	module->modules->nr_loaded++;
	if (module->object)
		module->modules->loaded_bytes += object__memory_bytes(module->object);
	bound_loaded(module->modules);
}

void modules__limit(struct modules *modules, size_t max_bytes)
{
	modules->max_bytes = max_bytes;
	bound_loaded(modules);
}

static int unload_slot(void **slot, void *context)
{
	struct module *module = *slot;

	(void)context;
	unload(module);
	module->name = module->path = NULL;
	return 1;
}

void modules__unload_all(struct modules *modules)
{
	htab_traverse_noresize(modules->table, unload_slot, NULL);
}

/* Leaves the module as it was if its file is out of reach. */
static void load(struct module *module, const struct module_user *user)
{
	module->tried_by = user->serial;
	module->stamp = (struct stamp){0};
	if (module->kind == MODULE_FILE) {
		module->fd = files__open_mapped(&module->identity, &user->witness);
		if (module->fd < 0)
			return;
		if (files__stamp(module->fd, &module->stamp)) {
			close(module->fd);
			module->fd = -1;
			return;
		}
	}
	module->checked_by = user->serial;
	read_sources(module, user);
}

static bool is_unchanged(const struct module *module)
{
	struct stamp now;

	return module->fd < 0 ||
	       (!files__stamp(module->fd, &now) && now.bytes == module->stamp.bytes &&
		now.modified_ns == module->stamp.modified_ns);
}

const struct object *module__object(struct module *module, const struct module_user *user)
{
	if (module->kind != MODULE_FILE && module->kind != MODULE_VDSO)
		return NULL;
	module->used = ++module->modules->uses;
	if (module->loaded && user->serial > module->checked_by) {
		if (!is_unchanged(module))
			unload(module);
		module->checked_by = user->serial;
	}
	if (!module->loaded && module->tried_by != user->serial)
		load(module, user);
	if (!module->loaded || module->stamp.changed_ns > (int64_t)user->seen_ns)
		return NULL;
	return module->object;
}

/* ---- what it is called ---- */

size_t module__shown_path(const struct module *module, const char **path)
{
	size_t length = strlen(module->identity.path);
	const size_t suffix = sizeof(deleted) - 1;

	*path = module->identity.path;
	if (module->kind != MODULE_FILE)
		return 0;
	if (length > suffix && !strcmp(*path + length - suffix, deleted))
		length -= suffix;
	return length;
}

size_t module__short_name(const struct module *module, const char **name)
{
	size_t length = module__shown_path(module, name);
	const char *slash = length ? memrchr(*name, '/', length) : NULL;

	if (!length)
		return strlen(*name);
	if (!slash || slash + 1 == *name + length)
		return length;
	length -= (size_t)(slash + 1 - *name);
	*name = slash + 1;
	return length;
}

static int add_bytes(void **slot, void *context)
{
	const struct module *module = *slot;

	*(size_t *)context += sizeof(*module) + strlen(module->identity.path) + 1;
	return 1;
}

size_t modules__nr_modules(const struct modules *modules)
{
	return htab_elements(modules->table);
}

size_t modules__loaded_bytes(const struct modules *modules)
{
	return modules->loaded_bytes;
}

size_t modules__memory_bytes(const struct modules *modules)
{
	size_t bytes = sizeof(*modules) + htab_size(modules->table) * sizeof(void *) +
		       modules->loaded_bytes;

	htab_traverse_noresize(modules->table, add_bytes, &bytes);
	return bytes;
}
