// SPDX-License-Identifier: GPL-2.0-only
/*
 * Invariant: data read from an open file is valid for every image that had it mapped at or after
 * file->changed_ns. This needs files to stay open, so their number is limited: the least recently
 * used one is closed, its data is dropped, and it is read again on demand.
 */
#include "processes/mapped_files.h"

#include <unistd.h>

#include "base/shortage.h"
#include "processes/opener.h"

#define MAX_OPEN    256
#define MAX_IDLE_NS 30000000000ULL /* builds and shells start the same programs again */

static const char deleted[] = " (deleted)";

/* ---- identity ---- */

/* kind follows from the other fields, except for the two vDSOs. */
static int equals_file(const void *item, const void *key)
{
	const struct mapped_file *a = item, *b = key;

	return a->kind == b->kind && a->mapping.inode == b->mapping.inode &&
	       a->mapping.major == b->mapping.major && a->mapping.minor == b->mapping.minor &&
	       !strcmp(a->mapping.path, b->mapping.path);
}

/* ---- life ---- */

static void drop_module(struct mapped_file *file)
{
	if (file->module)
		file->files->free_module(file->module);
	file->module = NULL;
}

/* Moves an open file to the front of the list of open files. */
static void put_in_front(struct mapped_file *file)
{
	struct mapped_files *files = file->files;

	file->newer = NULL;
	file->older = files->newest;
	*(file->older ? &file->older->newer : &files->oldest) = file;
	files->newest = file;
}

static void take_out(struct mapped_file *file)
{
	struct mapped_files *files = file->files;

	*(file->newer ? &file->newer->older : &files->newest) = file->older;
	*(file->older ? &file->older->newer : &files->oldest) = file->newer;
}

static void close_file(struct mapped_file *file)
{
	if (file->fd < 0)
		return;
	drop_module(file);
	take_out(file);
	file->files->nr_open--;
	close(file->fd);
	file->fd = -1;
	file->tried_by = 0;
}

/* malloc's overhead for a file and its path. */
#define MALLOC_BYTES 32

size_t mapped_file__bytes(const struct mapped_file *file)
{
	return sizeof(*file) + file->path_bytes + MALLOC_BYTES;
}

static void free_file(void *item)
{
	struct mapped_file *file = item;

	close_file(file);
	drop_module(file);
	file->files->bytes -= mapped_file__bytes(file);
	free((char *)file->mapping.path);
	free(file);
}

void mapped_files__init(struct mapped_files *files, void (*free_module)(struct module *module))
{
	*files = (struct mapped_files){.free_module = free_module};
	map__init(&files->map, equals_file, free_file);
}

void mapped_files__fini(struct mapped_files *files)
{
	map__fini(&files->map);
}

struct mapped_file *mapped_files__get(struct mapped_files *files, const struct mapping *mapping)
{
	const char *path = mapping->path;
	struct mapped_file key = {
		.files = files, .mapping.path = path, .kind = mapping__kind(mapping), .fd = -1};
	struct mapped_file *file;

	/* Only these names of memory without a file are worth keeping, unlike "//anon". */
	if (key.kind == MAPPING_ANONYMOUS && strcmp(path, "[heap]") &&
	    strncmp(path, "[stack", strlen("[stack")))
		key.mapping.path = "[anon]";
	if (key.kind == MAPPING_FILE) {
		key.mapping.major = mapping->major;
		key.mapping.minor = mapping->minor;
		key.mapping.inode = mapping->inode;
	}

	/* Both, as a FUSE server chooses either; the device is the same for almost all files. */
	key.item.hash = map__hash(&files->map, key.mapping.path, strlen(key.mapping.path));
	key.item.hash =
		map__hash_more(key.item.hash, &key.mapping.inode, sizeof(key.mapping.inode));

	file = map__find(&files->map, &key.item);
	if (!file) {
		file = xmalloc(sizeof(*file));
		*file = key;
		file->mapping.path = xstrdup(key.mapping.path);
		file->path_bytes = strlen(file->mapping.path) + 1;
		files->bytes += mapped_file__bytes(file);
		map__add(&files->map, &file->item);
	}
	mapped_file__ref(file);
	return file;
}

void mapped_file__ref(struct mapped_file *file)
{
	file->references++;
	file->idle_since_ns = 0;
}

void mapped_file__unref(struct mapped_file *file)
{
	file->references--;
}

static bool is_forgotten(void *item, void *now_ns)
{
	struct mapped_file *file = item;

	if (file->references)
		return false;
	if (!file->idle_since_ns)
		file->idle_since_ns = *(uint64_t *)now_ns;
	return file->fd < 0 || *(uint64_t *)now_ns > file->idle_since_ns + MAX_IDLE_NS;
}

void mapped_files__forget(struct mapped_files *files, uint64_t now_ns)
{
	map__visit(&files->map, is_forgotten, &now_ns);
}

/* ---- opening ---- */

bool mapped_files__close_oldest(struct mapped_files *files)
{
	if (!files->oldest)
		return false;
	close_file(files->oldest);
	return true;
}

static bool close_item(void *item, void *context)
{
	(void)context;
	close_file(item);
	drop_module(item);
	return false;
}

void mapped_files__close_all(struct mapped_files *files)
{
	map__visit(&files->map, close_item, NULL);
}

/* Opens the file; leaves it unchanged if it is out of reach. */
static void open_file(struct mapped_file *file, const struct mapped_file_user *user)
{
	const struct opening opening = {
		.kind = OPENING_MAPPED, .mapping = &file->mapping, .by = &user->by};
	const bool is_vdso = file->kind == MAPPING_VDSO;
	struct mapped_files *files = file->files;
	const int fd =
		is_vdso ? vdso__open() : opener__open(files->opener, &opening, files->budget);

	file->tried_by = user->serial;
	file->changed_ns = 0;
	file->shortage = shortage__is(fd) ? fd : 0;
	if (fd < 0)
		return;
	if (file__identify(fd, &file->identity) ||
	    (!is_vdso && file__changed_ns(fd, &file->changed_ns))) {
		close(fd);
		return;
	}
	file->fd = fd;
	file->checked_by = user->serial;
	put_in_front(file);
	files->nr_open++;
	while (files->nr_open > MAX_OPEN)
		mapped_files__close_oldest(files);
}

/*
 * The rare part of mapped_file__open(), not inlined as that runs for each address: the file is
 * closed, or may have changed.
 */
static __attribute__((noinline)) bool open_or_check(struct mapped_file *file,
						    const struct mapped_file_user *user)
{
	struct file_identity now;

	if (file->kind != MAPPING_FILE && file->kind != MAPPING_VDSO)
		return false;
	if (file->fd >= 0) {
		if (file__identify(file->fd, &now) || !file_identity__equals(&now, &file->identity))
			close_file(file);
		file->checked_by = user->serial;
	}
	if (file->fd < 0 && file->tried_by != user->serial)
		open_file(file, user);
	return file->fd >= 0 && file->changed_ns <= (int64_t)user->seen_ns;
}

bool mapped_file__open(struct mapped_file *file, const struct mapped_file_user *user)
{
	if (file->fd >= 0 && file->newer) {
		take_out(file);
		put_in_front(file);
	}
	if (file->fd >= 0 && user->serial <= file->checked_by)
		return file->changed_ns <= (int64_t)user->seen_ns;
	return open_or_check(file, user);
}

/* ---- names ---- */

size_t mapped_file__shown_path(const struct mapped_file *file, const char **path)
{
	const size_t suffix = sizeof(deleted) - 1;
	size_t length = strlen(file->mapping.path);

	*path = file->mapping.path;
	if (file->kind != MAPPING_FILE)
		return 0;
	if (length > suffix && !strcmp(*path + length - suffix, deleted))
		length -= suffix;
	return length;
}

size_t mapped_file__short_name(const struct mapped_file *file, const char **name)
{
	size_t length = mapped_file__shown_path(file, name);
	const char *slash = length ? memrchr(*name, '/', length) : NULL;

	if (!length)
		return strlen(*name);
	if (!slash || slash + 1 == *name + length)
		return length;
	length -= (size_t)(slash + 1 - *name);
	*name = slash + 1;
	return length;
}

size_t mapped_files__memory_bytes(const struct mapped_files *files)
{
	return sizeof(*files) + map__memory_bytes(&files->map) + files->bytes;
}
