// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two things need types: relocations of structs that the programs name, and hooks, which the kernel
 * identifies by a type number. libbpf relocates by our file, which has only these structs. As
 * libbpf would look up type numbers itself for programs of type "tracing", such programs have
 * another type until the moment they are loaded.
 *
 * The same moment serves a third purpose. If a kernel refuses bpf_probe_read_kernel(), libbpf takes
 * it for one that is too old, and calls bpf_probe_read() instead, also in place of
 * bpf_probe_read_user(). The latter is undone here.
 */
#include "capture/host/kernel_types.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <linux/btf.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <linux/bpf.h>

#include "base/files.h"
#include "capture/host/features.h"
#include "topstacks/hash.h"

int helper_calls__replace(struct bpf_program *program, int32_t helper, struct bpf_insn with)
{
	const struct bpf_insn *old = bpf_program__insns(program);
	const size_t nr = bpf_program__insn_cnt(program);
	struct bpf_insn *code = xmalloc(nr * sizeof(*code));
	int err;

	for (size_t i = 0; i < nr; i++)
		code[i] = old[i].code == (BPF_JMP | BPF_CALL) && !old[i].src_reg &&
					  old[i].imm == helper
				  ? with
				  : old[i];
	err = bpf_program__set_insns(program, code, nr);
	free(code);
	return err;
}

#define KERNEL_TYPES "/sys/kernel/btf/vmlinux"
#define MAX_BYTES    (256 << 20)

/* The temporary type of programs for which libbpf must not look up type numbers. */
#define UNTIL_LOADED BPF_PROG_TYPE_RAW_TRACEPOINT

/* Kinds of programs by section. Those with a prefix hook into a typed function or tracepoint. */
static const struct hook_kind {
	/* prefix of the type: "iter/task" hooks "bpf_iter_task"; NULL: no hook */
	const char *section, *prefix;
	unsigned int kind;
	enum bpf_attach_type attach_type;
	uint32_t flags;
	enum bpf_prog_type type; /* the type that libbpf sees */
} hook_kinds[] = {
	{"iter/", "bpf_iter_", BTF_KIND_FUNC, BPF_TRACE_ITER, 0, UNTIL_LOADED},
	{"iter.s/", "bpf_iter_", BTF_KIND_FUNC, BPF_TRACE_ITER, BPF_F_SLEEPABLE, UNTIL_LOADED},
	{"tp_btf/", "btf_trace_", BTF_KIND_TYPEDEF, BPF_TRACE_RAW_TP, 0, UNTIL_LOADED},
	{"perf_event", NULL, 0, BPF_PERF_EVENT, 0, BPF_PROG_TYPE_PERF_EVENT},
	{"tracepoint", NULL, 0, 0, 0, BPF_PROG_TYPE_TRACEPOINT},
	{"uprobe", NULL, 0, 0, 0, BPF_PROG_TYPE_KPROBE},
};

#define HOOK_KINDS (sizeof(hook_kinds) / sizeof(hook_kinds[0]))

/* A type that programs need. */
struct wanted_type {
	struct map_item item;
	unsigned int kind;
	uint32_t id; /* 0: not found */
	char name[64];
};

struct kernel_types {
	int handlers[HOOK_KINDS]; /* libbpf's handler numbers; negative: not registered */
	int extract;
	char path[32];
	struct map wanted;
	uint64_t wanted_hash; /* of kinds and names, in the order in which they became wanted */
	bool reads_kernel;    /* the kernel has bpf_probe_read_kernel() */
	/* the verifier knows the type of the running task; see kern/maps/reads.bpf.h */
	bool has_task;
};

static bool is_relocated(unsigned int kind)
{
	return kind == BTF_KIND_STRUCT || kind == BTF_KIND_UNION;
}

/* ---- types by name ---- */

static int equals(const void *item, const void *key)
{
	const struct wanted_type *a = item, *b = key;

	return a->kind == b->kind && !strcmp(a->name, b->name);
}

/* Fills in the key. False: the name is longer than any wanted one. */
static bool make_key(const struct kernel_types *types, unsigned int kind, const char *prefix,
		     const char *name, struct wanted_type *key)
{
	const size_t prefix_length = strlen(prefix), length = prefix_length + strlen(name);

	if (length >= sizeof(key->name))
		return false;
	key->kind = kind;
	key->id = 0;
	memcpy(key->name, prefix, prefix_length);
	memcpy(key->name + prefix_length, name, length - prefix_length + 1);
	key->item.hash = map__hash(&types->wanted, key->name, length);
	return true;
}

static int want(struct kernel_types *types, unsigned int kind, const char *prefix, const char *name)
{
	struct wanted_type key, *wanted;

	if (!make_key(types, kind, prefix, name, &key))
		return -ENAMETOOLONG;
	if (map__find(&types->wanted, &key.item))
		return 0;
	wanted = xmalloc(sizeof(*wanted));
	*wanted = key;
	types->wanted_hash =
		hash_word(types->wanted_hash ^ kind, type_cache__hash(key.name, strlen(key.name)));
	map__add(&types->wanted, &wanted->item);
	return 0;
}

static const struct hook_kind *find_hook_kind(const struct bpf_program *program)
{
	const char *section = bpf_program__section_name(program);
	size_t i;

	for (i = 0; i < HOOK_KINDS; i++)
		if (!strncmp(section, hook_kinds[i].section, strlen(hook_kinds[i].section)))
			return &hook_kinds[i];
	return NULL;
}

static const char *hook_name(const struct bpf_program *program, const struct hook_kind *kind)
{
	return bpf_program__section_name(program) + strlen(kind->section);
}

/* Wants the hooks of all programs: so there is one cache, whichever of them are loaded. */
static int want_hooks(struct kernel_types *types, const struct bpf_object *object)
{
	const struct hook_kind *kind;
	struct bpf_program *program;
	int code = 0;

	bpf_object__for_each_program(program, object)
	{
		kind = find_hook_kind(program);
		if (kind && kind->prefix && !code)
			code = want(types, kind->kind, kind->prefix, hook_name(program, kind));
	}
	return code;
}

/*
 * Wants the struct of the name without its flavor: "a_struct___old" is a_struct as other kernels
 * have it. Structs of our own are simply not found.
 */
static int want_struct(struct kernel_types *types, unsigned int kind, const char *name)
{
	const char *flavor = strstr(name, "___");
	char plain[sizeof(((struct wanted_type *)NULL)->name)];

	if (!flavor)
		return want(types, kind, "", name);
	if ((size_t)(flavor - name) >= sizeof(plain))
		return -ENAMETOOLONG;
	snprintf(plain, sizeof(plain), "%.*s", (int)(flavor - name), name);
	return want(types, kind, "", plain);
}

static int want_structs(struct kernel_types *types, const struct bpf_object *object)
{
	const struct btf *ours = bpf_object__btf(object);
	const uint32_t nr = btf__type_cnt(ours);
	const struct btf_type *type;
	uint32_t id;
	int code = 0;

	for (id = 1; id < nr && !code; id++) {
		type = btf__type_by_id(ours, id);
		if (is_relocated(btf_kind(type)) && type->name_off)
			code = want_struct(types, btf_kind(type),
					   btf__name_by_offset(ours, type->name_off));
	}
	return code;
}

static bool may_be_hook(unsigned int kind, const char *name)
{
	size_t i;

	for (i = 0; i < HOOK_KINDS; i++)
		if (hook_kinds[i].prefix && kind == hook_kinds[i].kind &&
		    *name == *hook_kinds[i].prefix &&
		    !strncmp(name, hook_kinds[i].prefix, strlen(hook_kinds[i].prefix)))
			return true;
	return false;
}

static enum type_use take_type(void *context, unsigned int kind, const char *name, uint32_t id)
{
	struct kernel_types *types = context;
	struct wanted_type key, *wanted;

	if ((!is_relocated(kind) && !may_be_hook(kind, name)) ||
	    !make_key(types, kind, "", name, &key))
		return TYPE_IGNORED;
	wanted = map__find(&types->wanted, &key.item);
	if (!wanted)
		return TYPE_IGNORED;
	wanted->id = id;
	return is_relocated(kind) ? TYPE_COPIED : TYPE_NOTED;
}

/* ---- the kernel's types ---- */

/*
 * Reads or maps the types. The file can be mapped from Linux 6.16 on (a539e2a6d51d); older kernels
 * copy it page by page.
 */
static int read_types(void **bytes, size_t *nr_bytes, bool *is_mapped)
{
	const int fd = open(KERNEL_TYPES, O_RDONLY | O_CLOEXEC);
	struct stat status = {0};
	char *text;
	int code = 0;

	if (fd < 0)
		return -errno;
	*bytes = MAP_FAILED;
	if (!fstat(fd, &status) && status.st_size > 0)
		*bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	*nr_bytes = (size_t)status.st_size;
	*is_mapped = *bytes != MAP_FAILED;
	if (!*is_mapped) {
		code = files__read_fd(fd, MAX_BYTES, &text, nr_bytes);
		*bytes = code ? NULL : text;
	}
	close(fd);
	return code;
}

/*
 * Returns true if task_struct has the member that tells that the verifier knows the running task's
 * type (HAS_TYPED_TASK).
 */
static bool has_typed_task(const struct kernel_types *types)
{
	struct btf *extract = btf__parse(types->path, NULL);
	const struct btf_type *task;
	bool has = false;
	int id;

	if (!extract)
		return false;
	id = btf__find_by_name_kind(extract, "task_struct", BTF_KIND_STRUCT);
	task = id > 0 ? btf__type_by_id(extract, (uint32_t)id) : NULL;
	for (uint16_t i = 0; task && i < btf_vlen(task) && !has; i++)
		has = !strcmp(btf__name_by_offset(extract, btf_members(task)[i].name_off),
			      "bpf_storage");
	btf__free(extract);
	return has;
}

/* Lists the types that the object needs. */
static int want_all(struct kernel_types *types, const struct bpf_object *object)
{
	int code;

	map__clear(&types->wanted);
	types->wanted_hash = HASH_SEED;
	code = want_hooks(types, object);
	return code ? code : want_structs(types, object);
}

/* Makes the extract, of places that are kept from an earlier run, or else by a search. */
static int make_extract(struct kernel_types *types, const struct bpf_object *object,
			const void *bytes, size_t nr_bytes, void **extract, size_t *extract_bytes)
{
	const struct type_filter filter = {take_type, types};
	struct type_places places = {0};
	struct type_cache cache;
	bool is_made = false;
	uint64_t sum;
	int code = 0;

	type_cache__open(&cache, types->wanted_hash);
	if (type_cache__read(&cache, &places, &sum)) {
		is_made = !type_extract__make(bytes, nr_bytes, &filter, &places, extract,
					      extract_bytes) &&
			  type_cache__sum(&places, *extract, *extract_bytes) == sum;
		if (!is_made) { /* forgets all that was found at wrong places */
			free(*extract);
			*extract = NULL;
			places.nr = 0;
			code = want_all(types, object);
		}
	}
	if (!is_made && !code) {
		code = type_extract__make(bytes, nr_bytes, &filter, &places, extract,
					  extract_bytes);
		if (!code)
			type_cache__write(&cache, &places,
					  type_cache__sum(&places, *extract, *extract_bytes));
	}
	type_cache__close(&cache);
	free(places.list);
	return code;
}

int kernel_types__find(struct kernel_types *types, const struct bpf_object *object,
		       struct error *err)
{
	size_t nr_bytes = 0, extract_bytes;
	void *bytes = NULL, *extract = NULL;
	bool is_mapped = false;
	int code = want_all(types, object);

	if (code)
		return features__explain(NULL, err, code, "list the types of the BPF programs");
	code = read_types(&bytes, &nr_bytes, &is_mapped);
	if (code)
		return features__explain(NULL, err, code, "read " KERNEL_TYPES);

	/* If BTF has a kind that we do not know, libbpf gets all of it. */
	code = make_extract(types, object, bytes, nr_bytes, &extract, &extract_bytes);
	if (code == -EINVAL)
		code = files__write(types->extract, bytes, nr_bytes);
	else if (!code)
		code = files__write(types->extract, extract, extract_bytes);
	free(extract);
	types->has_task = !code && !types->reads_kernel && has_typed_task(types);
	if (is_mapped)
		munmap(bytes, nr_bytes);
	else
		free(bytes);
	return code ? features__explain(NULL, err, code, "write the types of BPF programs") : 0;
}

/* ---- handlers that libbpf calls ---- */

/* Returns the number of the type that a program hooks into, as found before, or negative errno. */
static int find_hook(const struct kernel_types *types, const struct bpf_program *program)
{
	const struct hook_kind *kind = find_hook_kind(program);
	const char *name = hook_name(program, kind);
	const struct wanted_type *found = NULL;
	struct wanted_type key;

	if (make_key(types, kind->kind, kind->prefix, name, &key))
		found = map__find(&types->wanted, &key.item);
	return found && found->id ? (int)found->id
				  : libbpf_find_vmlinux_btf_id(name, kind->attach_type);
}

/*
 * Prepares a program that libbpf is about to load. Where libbpf took bpf_probe_read_kernel() for
 * unknown, bpf_probe_read() becomes bpf_probe_read_user(): all reachable calls that libbpf has
 * changed read user memory, as those of kernel memory are behind cfg_reads_kernel.
 */
static int prepare_load(struct bpf_program *program, struct bpf_prog_load_opts *options,
			long cookie)
{
	const struct bpf_insn read_user = {.code = BPF_JMP | BPF_CALL,
					   .imm = BPF_FUNC_probe_read_user};
	const struct kernel_types *types = (const void *)cookie;
	const struct hook_kind *kind = find_hook_kind(program);
	int code = 0, id;

	if (types->has_task)
		code = helper_calls__replace(program, BPF_FUNC_probe_read, read_user);
	if (code || !kind->prefix)
		return code;
	id = find_hook(types, program);
	if (id < 0)
		return id;
	options->attach_btf_id = (uint32_t)id;
	options->prog_flags |= kind->flags;
	return bpf_program__set_type(program, BPF_PROG_TYPE_TRACING);
}

/*
 * Registers our handlers, and before them one for no program, which stays for the life of the
 * process: libbpf 1.1 frees its list of handlers with the last handler, and then uses the freed
 * list for the next one. A start leaves three such handlers at most.
 */
static int register_handlers(struct kernel_types *types)
{
	LIBBPF_OPTS(libbpf_prog_handler_opts, none);
	LIBBPF_OPTS(libbpf_prog_handler_opts, options, .cookie = (long)types,
		    .prog_prepare_load_fn = prepare_load);
	const int id =
		libbpf_register_prog_handler("topstacks/none", BPF_PROG_TYPE_UNSPEC, 0, &none);

	if (id < 0)
		return id;
	for (size_t i = 0; i < HOOK_KINDS; i++) {
		if (types->reads_kernel && !hook_kinds[i].prefix)
			continue;
		types->handlers[i] =
			libbpf_register_prog_handler(hook_kinds[i].section, hook_kinds[i].type,
						     hook_kinds[i].attach_type, &options);
		if (types->handlers[i] < 0)
			return types->handlers[i];
	}
	return 0;
}

/* ---- life ---- */

struct kernel_types *kernel_types__new(bool reads_kernel, struct error *err)
{
	struct kernel_types *types = xmalloc(sizeof(*types));
	int code;

	*types = (struct kernel_types){.reads_kernel = reads_kernel};
	for (size_t i = 0; i < HOOK_KINDS; i++)
		types->handlers[i] = -1;
	map__init(&types->wanted, equals, free);
	types->extract = memfd_create("kernel types", MFD_CLOEXEC);
	if (types->extract < 0) {
		features__explain(NULL, err, -errno,
				  "make a file in memory for the types of BPF programs");
		kernel_types__free(types);
		return NULL;
	}
	snprintf(types->path, sizeof(types->path), "/proc/self/fd/%d", types->extract);
	code = register_handlers(types);
	if (!code)
		return types;
	features__explain(NULL, err, code, "tell libbpf of hooks");
	kernel_types__free(types);
	return NULL;
}

const char *kernel_types__path(const struct kernel_types *types)
{
	return types->path;
}

void kernel_types__free(struct kernel_types *types)
{
	size_t i;

	if (!types)
		return;
	for (i = 0; i < HOOK_KINDS; i++)
		if (types->handlers[i] >= 0)
			libbpf_unregister_prog_handler(types->handlers[i]);
	if (types->extract >= 0)
		close(types->extract);
	map__fini(&types->wanted);
	free(types);
}
