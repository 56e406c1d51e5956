// SPDX-License-Identifier: GPL-2.0-only
/*
 * Probes that load BPF programs and maps, each the smallest that needs the probed feature. A
 * program is attached like those of a run, and run once if the kernel runs it on demand. Nothing
 * stays behind.
 */
#include "capture/host/feature_probes.h"

#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "base/system/rights.h"
#include "capture/events/tracefs.h"
#include "capture/kernel/kernel.h"
#include "capture/probes/probe_cost.h"

/* The size of the test map. If a limit on map memory refuses it, a run has too little, too. */
enum { HASH_MAP_ENTRIES = 1 << 16, HASH_MAP_ENTRY_BYTES = 8, ARRAY_BYTES = 4096 };

/* ---- instructions ---- */

#define SET(to, value)                                                               \
	{                                                                            \
		.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = (to), .imm = (value) \
	}
#define POINT(to, offset)                                                              \
	{.code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = (to), .src_reg = BPF_REG_10}, \
	{                                                                              \
		.code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = (to), .imm = (offset)  \
	}
#define CALL(helper)                                        \
	{                                                   \
		.code = BPF_JMP | BPF_CALL, .imm = (helper) \
	}
#define RETURN                             \
	{                                  \
		.code = BPF_JMP | BPF_EXIT \
	}
/* Points to a function that begins so many instructions behind the next one. */
#define POINT_FUNCTION(to, behind)          \
	{.code = BPF_LD | BPF_IMM | BPF_DW, \
	 .dst_reg = (to),                   \
	 .src_reg = BPF_PSEUDO_FUNC,        \
	 .imm = (behind)},                  \
	{                                   \
		0                           \
	}

static const struct bpf_insn nothing[] = {SET(BPF_REG_0, 0), RETURN};

static const struct bpf_insn read_kernel[] = {
	POINT(BPF_REG_1, -8), SET(BPF_REG_2, 8),
	SET(BPF_REG_3, 0),    CALL(BPF_FUNC_probe_read_kernel),
	SET(BPF_REG_0, 0),    RETURN,
};

static const struct bpf_insn get_stack[] = {
	POINT(BPF_REG_2, -64),	  SET(BPF_REG_3, 64), SET(BPF_REG_4, BPF_F_USER_STACK),
	CALL(BPF_FUNC_get_stack), SET(BPF_REG_0, 0),  RETURN,
};

/* The second function of a program, by the index of its first instruction. */
enum { CALLBACK = 8, CALLED = 7 };
static const struct bpf_insn loop[] = {
	SET(BPF_REG_1, 1),
	POINT_FUNCTION(BPF_REG_2, CALLBACK - 2),
	SET(BPF_REG_3, 0),
	SET(BPF_REG_4, 0),
	CALL(BPF_FUNC_loop),
	SET(BPF_REG_0, 0),
	RETURN,
	[CALLBACK] = SET(BPF_REG_0, 1),
	RETURN,
};

/* The map, an array of programs, is filled in. */
static const struct bpf_insn tail_call[] = {
	{.code = BPF_LD | BPF_IMM | BPF_DW, .dst_reg = BPF_REG_2, .src_reg = BPF_PSEUDO_MAP_FD},
	{0},
	SET(BPF_REG_3, 0),
	CALL(BPF_FUNC_tail_call),
	{.code = BPF_JMP | BPF_CALL, .src_reg = BPF_PSEUDO_CALL, .imm = CALLED - 5},
	SET(BPF_REG_0, 0),
	RETURN,
	[CALLED] = SET(BPF_REG_0, 1),
	RETURN,
};

/* ---- attaching a test program; each returns 0 or negative errno ---- */

static int take_descriptor(int fd)
{
	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

/*
 * Attaches to an event of the current CPU. Without the right to such events, this tells nothing
 * about programs, and returns 0.
 */
static int attach_to_event(int program)
{
	const int cpu = sched_getcpu();
	const int event = probe__open_cpu_clock(-1, cpu < 0 ? 0 : cpu);
	int code = 0;

	if (event < 0)
		return 0;
	if (ioctl(event, PERF_EVENT_IOC_SET_BPF, program))
		code = -errno;
	close(event);
	return code;
}

static int link_to_event(int program)
{
	LIBBPF_OPTS(bpf_link_create_opts, options, .perf_event.bpf_cookie = 1);
	const int event = probe__open_cpu_clock(0, -1);
	int code;

	if (event < 0)
		return event;
	code = take_descriptor(bpf_link_create(program, event, BPF_PERF_EVENT, &options));
	close(event);
	return code;
}

static int attach_to_locks(int program)
{
	return take_descriptor(bpf_raw_tracepoint_open("contention_begin", program));
}

static int attach_to_hook(int program)
{
	return take_descriptor(bpf_raw_tracepoint_open(NULL, program));
}

static int iterate_once(int program)
{
	const int link = bpf_link_create(program, 0, BPF_TRACE_ITER, NULL);
	int iterator, code = 0;
	char text[16];

	if (link < 0)
		return -errno;
	iterator = bpf_iter_create(link);
	if (iterator < 0 || read(iterator, text, sizeof(text)) < 0)
		code = -errno;
	if (iterator >= 0)
		close(iterator);
	close(link);
	return code;
}

static int attach_to_tracepoint(int program)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = PERF_TYPE_TRACEPOINT, .disabled = 1};
	const int tracefs = tracefs__open(NULL);
	int code = tracefs, event;
	char *id;

	if (tracefs < 0)
		return code;
	code = tracefs__read(tracefs, "events/sched/sched_process_exit/id", 32, &id);
	close(tracefs);
	if (code)
		return code;
	attr.config = strtoul(id, NULL, 10);
	free(id);
	event = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (event < 0)
		return -errno;
	if (ioctl(event, PERF_EVENT_IOC_SET_BPF, program))
		code = -errno;
	close(event);
	return code;
}

static int attach_to_ourselves(int program)
{
	bool by_link;

	(void)program; /* probe_cost__try makes its own program of that kind */
	return probe_cost__try(&by_link);
}

/* ---- programs ---- */

#define CODE(instructions) (instructions), sizeof(instructions) / sizeof((instructions)[0])

/* Names as in the kernel's list of programs. */
static const struct tried_program {
	const char *name;
	enum bpf_prog_type type;
	const struct bpf_insn *instructions;
	size_t nr_instructions;
	int (*attach)(int program);
	const char *hook; /* name of the hook's type; NULL: no hook */
	enum bpf_attach_type hook_type;
	__u32 flags;
	__u32 function; /* the second function's first instruction; 0: there is one function */
} programs[] = {
	[TRIED_PERF_EVENT] = {"try_perf_event", BPF_PROG_TYPE_PERF_EVENT, CODE(nothing),
			      attach_to_event},
	[TRIED_JIT] = {"try_jit", BPF_PROG_TYPE_PERF_EVENT, CODE(nothing)},
	[TRIED_READ_KERNEL] = {"try_read_kernel", BPF_PROG_TYPE_PERF_EVENT, CODE(read_kernel)},
	[TRIED_GET_STACK] = {"try_get_stack", BPF_PROG_TYPE_PERF_EVENT, CODE(get_stack)},
	[TRIED_LOOP] = {"try_loop", BPF_PROG_TYPE_PERF_EVENT, CODE(loop), .function = CALLBACK},
	[TRIED_TAIL_CALL] = {"try_tail_call", BPF_PROG_TYPE_PERF_EVENT, CODE(tail_call),
			     .function = CALLED},
	[TRIED_PERF_LINK] = {"try_perf_link", BPF_PROG_TYPE_PERF_EVENT, CODE(nothing),
			     link_to_event},
	[TRIED_CONTENTION] = {"try_locks", BPF_PROG_TYPE_RAW_TRACEPOINT, CODE(nothing),
			      attach_to_locks},
	[TRIED_TP_BTF] = {"try_tp_btf", BPF_PROG_TYPE_TRACING, CODE(nothing), attach_to_hook,
			  "sched_process_free", BPF_TRACE_RAW_TP, 0},
	[TRIED_TASK_ITER] = {"try_task_iter", BPF_PROG_TYPE_TRACING, CODE(nothing), iterate_once,
			     "task", BPF_TRACE_ITER, 0},
	[TRIED_SLEEPABLE_ITER] = {"try_task_iter_s", BPF_PROG_TYPE_TRACING, CODE(nothing),
				  iterate_once, "task", BPF_TRACE_ITER, BPF_F_SLEEPABLE},
	[TRIED_TRACEPOINT] = {"try_tracepoint", BPF_PROG_TYPE_TRACEPOINT, CODE(nothing),
			      attach_to_tracepoint},
	[TRIED_UPROBE] = {"try_uprobe", BPF_PROG_TYPE_KPROBE, CODE(nothing), attach_to_ourselves},
};

/*
 * Loads the minimal types that the kernel wants for functions and for maps with types;
 * FUNCTION_TYPE has no parameters. Returns a descriptor or negative errno.
 */
enum { INT_TYPE = 1, PROTOTYPE, FUNCTION_TYPE };

static int load_types(void)
{
	struct btf *types = btf__new_empty();
	const void *bytes;
	__u32 size;
	int fd = -ENOMEM;

	if (types && btf__add_int(types, "int", 4, BTF_INT_SIGNED) == INT_TYPE &&
	    btf__add_func_proto(types, INT_TYPE) == PROTOTYPE &&
	    btf__add_func(types, "function", BTF_FUNC_STATIC, PROTOTYPE) == FUNCTION_TYPE &&
	    (bytes = btf__raw_data(types, &size))) {
		fd = bpf_btf_load(bytes, size, NULL);
		fd = fd < 0 ? -errno : fd;
	}
	btf__free(types);
	return fd;
}

/* Returns the number of the type that a program hooks into, or negative errno. */
static int find_hook(const struct probe *probe, const struct tried_program *tried)
{
	const bool is_iterator = tried->hook_type == BPF_TRACE_ITER;
	const struct btf *types = features__types(probe->features);
	char name[64];

	snprintf(name, sizeof(name), "%s%s", is_iterator ? "bpf_iter_" : "btf_trace_", tried->hook);
	return types ? btf__find_by_name_kind(types, name,
					      is_iterator ? BTF_KIND_FUNC : BTF_KIND_TYPEDEF)
		     : -ENOENT;
}

/* Loads a program. Two functions need types. Returns a descriptor or negative errno. */
static int load(const struct probe *probe, const struct tried_program *tried)
{
	const struct bpf_func_info functions[] = {{0, FUNCTION_TYPE},
						  {tried->function, FUNCTION_TYPE}};
	const int types = tried->function ? load_types() : 0;
	const int hook = tried->hook ? find_hook(probe, tried) : 0;
	LIBBPF_OPTS(bpf_prog_load_opts, options, .expected_attach_type = tried->hook_type,
		    .prog_flags = tried->flags);
	int fd;

	if (types < 0 || hook < 0)
		return types < 0 ? types : hook;
	options.attach_btf_id = (__u32)hook;
	if (tried->function) {
		options.prog_btf_fd = (__u32)types;
		options.func_info = functions;
		options.func_info_cnt = sizeof(functions) / sizeof(functions[0]);
		options.func_info_rec_size = sizeof(functions[0]);
	}
	fd = bpf_prog_load(tried->type, tried->name, "GPL", tried->instructions,
			   tried->nr_instructions, &options);
	fd = fd < 0 ? -errno : fd;
	if (tried->function)
		close(types);
	return fd;
}

/* Loads a program that begins with the descriptor of an array of programs. */
static int load_with_programs(const struct probe *probe, const struct tried_program *tried)
{
	const int map = bpf_map_create(BPF_MAP_TYPE_PROG_ARRAY, "try_programs", sizeof(__u32),
				       sizeof(__u32), 1, NULL);
	struct bpf_insn code[sizeof(tail_call) / sizeof(tail_call[0])];
	struct tried_program with_map = *tried;
	int fd;

	if (map < 0)
		return -errno;
	memcpy(code, tail_call, sizeof(code));
	code[0].imm = map;
	with_map.instructions = code;
	fd = load(probe, &with_map);
	close(map);
	return fd;
}

/*
 * Tries a program, and explains two kinds of EINVAL: callbacks are for compiled programs only
 * (69c087ba6225), and under lockdown=confidentiality the verifier does not know the helper that
 * reads kernel memory (kernel/trace/bpf_trace.c).
 */
void probe__program(const struct probe *probe)
{
	const struct tried_program *tried = &programs[probe->row->parameter];
	const int program = tried->instructions == tail_call ? load_with_programs(probe, tried)
							     : load(probe, tried);
	int code = program < 0 ? program : 0;

	if (!code && tried->attach)
		code = tried->attach(program);
	if (program >= 0)
		close(program);
	probe__answer_ability(probe, code);
	if (probe->row->parameter == TRIED_READ_KERNEL && probe->answer->code == -EINVAL)
		ANSWER(probe, FEATURE_MISSING, "the kernel's lockdown is confidentiality");
	if (probe->row->parameter == TRIED_LOOP && probe->answer->code == -EINVAL &&
	    features__answer(probe->features, FEATURE_JIT)->state == FEATURE_MISSING) {
		ANSWER(probe, FEATURE_MISSING, "the JIT compiler of BPF is off");
		probe->answer->remedy = JIT_ON;
	}
}

/* Finds out whether the JIT compiles a test program: not every user may read the sysctl. */
void probe__jit(const struct probe *probe)
{
	const int program = load(probe, &programs[TRIED_JIT]);
	struct bpf_prog_info info = {0};
	__u32 size = sizeof(info);

	if (program < 0) {
		probe__answer_ability(probe, program);
		return;
	}
	if (bpf_obj_get_info_by_fd(program, &info, &size))
		ANSWER(probe, FEATURE_UNKNOWN, "the kernel does not tell");
	else if (!info.jited_prog_len)
		ANSWER(probe, FEATURE_MISSING, "off");
	else
		probe->answer->state = FEATURE_OK;
	close(program);
}

/* ---- maps ---- */

void probe__hash_map(const struct probe *probe)
{
	const struct feature_answer *limit =
		features__answer(probe->features, FEATURE_LOCKED_MEMORY);
	const int code =
		take_descriptor(bpf_map_create(BPF_MAP_TYPE_HASH, "try_hash", HASH_MAP_ENTRY_BYTES,
					       HASH_MAP_ENTRY_BYTES, HASH_MAP_ENTRIES, NULL));

	probe__answer_ability(probe, code);
	if (code == -EPERM && probe->answer->state == FEATURE_MISSING &&
	    limit->state == FEATURE_LIMITED)
		probe->answer->remedy = limit->remedy;
}

void probe__mapped_array(const struct probe *probe)
{
	LIBBPF_OPTS(bpf_map_create_opts, options, .map_flags = BPF_F_MMAPABLE | BPF_F_INNER_MAP);
	const int map = bpf_map_create(BPF_MAP_TYPE_ARRAY, "try_mapped", sizeof(__u32), ARRAY_BYTES,
				       1, &options);
	int code = map < 0 ? -errno : 0;
	void *bytes;

	if (!code) {
		bytes = mmap(NULL, ARRAY_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, map, 0);
		if (bytes == MAP_FAILED)
			code = -errno;
		else
			munmap(bytes, ARRAY_BYTES);
		close(map);
	}
	probe__answer_ability(probe, code);
}

void probe__map(const struct probe *probe)
{
	LIBBPF_OPTS(bpf_map_create_opts, options);
	const enum bpf_map_type type = (enum bpf_map_type)probe->row->parameter;
	const bool has_inner = type == BPF_MAP_TYPE_ARRAY_OF_MAPS;
	int inner = 0, code;

	if (has_inner) {
		inner = bpf_map_create(BPF_MAP_TYPE_ARRAY, "try_inner", sizeof(__u32),
				       sizeof(__u64), 1, NULL);
		options.inner_map_fd = (__u32)inner;
	}
	code = inner < 0 ? inner
			 : take_descriptor(bpf_map_create(type, "try_map", sizeof(__u32),
							  has_inner ? sizeof(__u32) : sizeof(__u64),
							  1, &options));
	if (has_inner && inner >= 0)
		close(inner);
	probe__answer_ability(probe, code);
}

void probe__task_storage(const struct probe *probe)
{
	LIBBPF_OPTS(bpf_map_create_opts, options, .map_flags = BPF_F_NO_PREALLOC,
		    .btf_key_type_id = INT_TYPE, .btf_value_type_id = INT_TYPE);
	const int types = load_types();
	int code = types;

	if (types >= 0) {
		options.btf_fd = (__u32)types;
		code = take_descriptor(bpf_map_create(BPF_MAP_TYPE_TASK_STORAGE, "try_storage",
						      sizeof(int), sizeof(int), 0, &options));
		close(types);
	}
	probe__answer_ability(probe, code);
}

/* ---- names of kernel functions, and statistics ---- */

void probe__kernel_names(const struct probe *probe)
{
	struct kernel_names_bpf *names = kernel_names__open();
	const int code = names ? 0 : -errno;

	if (names)
		kernel_names__ask(names, (uint64_t)-1); /* runs the program for any address */
	kernel_names__close(names);
	probe__answer_ability(probe, code);
}

/*
 * Checks for lines like "0000000000000000 T _text", where addresses are hidden. The first few may
 * truly be 0.
 */
void probe__kallsyms(const struct probe *probe)
{
	const uint64_t before = rights__raise(RIGHTS_TO_NAME_KERNEL);
	char text[4096];
	const char *line = text;
	int code = features__read(probe->features, "/proc/kallsyms", text, sizeof(text));

	rights__restore(before);
	if (code) {
		ANSWER(probe, FEATURE_MISSING, "not readable: %s", strerror(-code));
		return;
	}
	while (line && !strtoull(line, NULL, 16)) {
		line = strchr(line, '\n');
		line = line && line[1] ? line + 1 : NULL;
	}
	if (line)
		probe->answer->state = FEATURE_OK;
	else
		ANSWER(probe, FEATURE_MISSING, "its addresses are hidden");
}

/*
 * Asks for a kind of statistics that does not exist: the kernel checks the right first, and
 * switches nothing on.
 */
void probe__statistics(const struct probe *probe)
{
	const int fd = bpf_enable_stats((enum bpf_stats_type) - 1);
	const int code = fd < 0 ? -errno : 0;

	if (fd >= 0)
		close(fd);
	probe__answer_ability(probe, code == -EINVAL ? 0 : code);
}
