/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The contract between kern/ and user/capture/: every key, value, counter and limit they share.
 *
 * Fixed-width types and explicit padding only. A hash key with silent padding would be refused by
 * the verifier, or would split one stack into two.
 */
#ifndef TOPSTACKS_ABI_H
#define TOPSTACKS_ABI_H

#include <linux/types.h>

#include "topstacks/store_abi.h"

#define ABI_GENERATIONS 2
#define NO_GENERATION	ABI_GENERATIONS
#define ABI_MAX_DEPTH	1024 /* frames; the session's own depth is cfg_max_depth */
#define ABI_COMM_SIZE	16
#define ABI_MAX_TARGETS 16384 /* processes of one target that live at a time */
#define ABI_MAX_DYING	16384 /* threads of it between exit and free */
#define ABI_MAX_EVENTS	8     /* sampled at a time; their number in the kernel is their order */

/* Of a sample, and of sums of them: the largest that a file can hold. */
#define ABI_MAX_WEIGHT 0x7fffffffffffffffULL

/* ---- A reference to a stack: what it is in the top two bits, the rest below. ---- */

#define STACK_TAG_SHIFT	  62
#define STACK_REST(ref)	  ((ref) & ((1ULL << STACK_TAG_SHIFT) - 1))
#define STACK_TAG(ref)	  ((ref) >> STACK_TAG_SHIFT)
#define STACK_REF(tag, x) (((__u64)(tag) << STACK_TAG_SHIFT) | (x))

#define STACK_NONE    0ULL /* there is no stack of this kind, which is no loss */
#define STACK_OBJECT  0ULL /* rest, not 0: what is waited for, in place of a stack of the kernel */
#define STACK_ID      1ULL /* rest: id in the generation's stack trace map */
#define STACK_SPILLED 2ULL /* rest: key in the generation's known map; the log has the stack */
#define STACK_MISSING 3ULL /* rest: enum stack_missing */

enum stack_missing {
	STACK_MISSING_SPILL_FULL,
	STACK_MISSING_COLLISION,
	STACK_MISSING_BUSY,
	STACK_MISSING_UNREADABLE,
};

/*
 * ---- A frame is a word: where a program was, or which code an interpreter was in. ----
 *
 *	63  62      59  58            43  42                                   0
 *	 0 | address of a program                                               |
 *	 1 | 15       | rest of an address: the kernel's, or of the vsyscall page |
 *	 1 | language | position in the code | hash of the code object          |
 *
 * Kernel addresses are all ones above bit 59, with any number of levels of page tables.
 */
#define WORD_LANGUAGE_SHIFT 59
#define WORD_POSITION_SHIFT 43
#define WORD_CODE_BITS	    43

enum word_language {
	LANGUAGE_NONE, /* an address */
	LANGUAGE_PYTHON,
	LANGUAGE_PHP,
	LANGUAGE_RUBY,
	LANGUAGE_V8,
	LANGUAGES, /* more have no name yet */
	LANGUAGE_KERNEL_ADDRESS = 15,
};

#define WORD_INTERPRETED(language, position, code)               \
	(1ULL << 63 | (__u64)(language) << WORD_LANGUAGE_SHIFT | \
	 (__u64)((position)&0xffff) << WORD_POSITION_SHIFT |     \
	 ((__u64)(code) & ((1ULL << WORD_CODE_BITS) - 1)))

static inline __attribute__((always_inline)) __u32 word_is_kernel(__u64 word)
{
	return word >> WORD_LANGUAGE_SHIFT == (1 << 4 | LANGUAGE_KERNEL_ADDRESS);
}

/* LANGUAGE_NONE: the word is an address. */
static inline __attribute__((always_inline)) __u32 word_language(__u64 word)
{
	return word >> 63 && !word_is_kernel(word) ? word >> WORD_LANGUAGE_SHIFT & 15 : 0;
}

/*
 * The word of an address from a stack that may be damaged: what would read as interpreted is no
 * address that anything can be mapped at, and is none either without its top bit.
 */
static inline __attribute__((always_inline)) __u64 word_of_address(__u64 address)
{
	return word_language(address) ? address & ~(1ULL << 63) : address;
}

/* ---- sample_key.what (store_abi.h) ---- */

/*
 * The bits of what, and who has them:
 *
 *	bits     holds                      where
 *	0..2     number of the event        always
 *	3..12    WAIT() (waits.h)           events that are waits; 0: others
 *	13       kernel refers to words     --wakers: the stack behind key.kernel is of enum waker_word
 *	17..31   slice of time              --slices
 *	14..18   length of a wait           kept for it: a power of two of ns
 *	19..26   class of a span            kept for it
 *	27..30   group of a span            kept for it
 *
 * Combined with each other, and with all else: the event, WAIT(), lengths of waits, spans. Slices of time share bits with
 * lengths and spans, so an option for these is refused beside slices. The place of the kernel's stack is shared by
 * who woke a thread and, kept for it, by who had its CPU: one of them is asked for at a time. Owners, and labels when
 * there are any, need no bit: each set of them is an instance of its own (hash_owned).
 */
#define WHAT_EVENT_BITS	  3
#define WHAT_WAIT_BITS	  10
#define WHAT_HAS_WAKER	  (1U << (WHAT_EVENT_BITS + WHAT_WAIT_BITS))
#define WHAT(event, wait) ((__u32)(event) | (__u32)(wait) << WHAT_EVENT_BITS)
#define WHAT_EVENT(what)  ((what) & ((1U << WHAT_EVENT_BITS) - 1))
#define WHAT_WAIT(what)	  ((what) >> WHAT_EVENT_BITS & ((1U << WHAT_WAIT_BITS) - 1))

/*
 * Slices take turns with so many numbers that a drain, which comes every second, tells which round it is; a key for
 * each slice of the run would fill the map with keys that are never counted again.
 */
#define WHAT_SLICE_SHIFT 17
#define WHAT_SLICE_BITS	 15
#define WHAT_SLICE(what) ((what) >> WHAT_SLICE_SHIFT)

enum waker_word {
	WAKER_SLEPT, /* the reference that the key would have without */
	WAKER_PROCESS,
	WAKER_USER, /* its stacks when it woke the thread */
	WAKER_KERNEL,
	WAKER_WORDS,
};

#define SPILLED_WAKER 255 /* in place of enum unwind_step: it is none */

/*
 * ---- A process, by its instance; where threads are told apart, there is a record of each thread beside that of its
 * process ----
 */

struct process_record {
	__u64 instance;
	__u64 start_ns; /* CLOCK_BOOTTIME */
	__u64 exec_id;
	__u64 seen_ns; /* CLOCK_MONOTONIC of the record */
	__u64 cgroup;
	__u32 tgid;	/* in the first pid namespace */
	__u32 ns_tgid;	/* in ours; 0: not visible there; of a thread its own id there */
	__u32 own_tgid; /* in the task's own; likewise */
	__u32 tid;	/* of a thread; 0: it is of a process */
	__u32 owner;	/* the user's id, or one of the numbers below */
	__u8 kernel_thread;
	__u8 is_gone; /* only its ids tell whose it is: it has no memory any more */
	__u8 padding[2];
	char comm[ABI_COMM_SIZE];
};

#define ABI_OWNER_NOBODY  0xffffffffU /* which is no user's id */
#define ABI_OWNER_UNKNOWN 0xfffffffeU /* nobody asked; who has this id is taken for nobody */

/*
 * ---- A spilled stack: one that found no place in the stack trace map, or was walked by our own programs ----
 */

struct spilled_stack {
	__u64 key;   /* 62 bits of hash */
	__u64 check; /* a second, independent hash: a collision of keys is seen, not merged */
	__u32 nr_frames;
	__u32 padding;
	__u32 end;		    /* enum unwind_step; 0: walked along frame pointers */
	__u32 nr_guessed;	    /* steps that may have led past frames */
	__u64 words[ABI_MAX_DEPTH]; /* cfg_max_depth of them at most */
};

#define SPILLED_STACK_BYTES(depth) (32 + 8 * (depth))

/* ---- The targets map: process id (thread id with FILTER_THREAD) -> struct target_entry ---- */

enum target_filter {
	FILTER_NONE,	/* the whole system */
	FILTER_PROCESS, /* processes in the targets map */
	FILTER_THREAD,	/* threads in the targets map */
};

/*
 * What makes a process a target. One kind is that it was named by its id, the others are conditions:
 * who fulfils one of each kind that was asked for (cfg_kinds) is sampled.
 */
enum target_kind {
	KIND_ID = 1 << 0,
	KIND_COMM = 1 << 1,
	KIND_USER = 1 << 2,
	KIND_CGROUP = 1 << 3,
	KIND_CONTAINER = 1 << 4,
	KIND_COMMAND = 1 << 5, /* at its next exec it will be of KIND_ID */
	KINDS_BY_NAME = KIND_COMM | KIND_USER | KIND_CGROUP | KIND_CONTAINER,
};

struct target_entry {
	__u64 start_ns;	   /* of the process, or of the thread: a reused id is not the target */
	__u64 min_exec_id; /* sampled from this exec on */
	__u32 pass;	   /* session.pass when it was last seen alive */
	__u16 judged;	   /* the last bits of session.judgement, when it was last judged */
	__u8 kinds;	   /* enum target_kind: those it is of */
	__s8 moved;	   /* by that judgement: 1, it became a target; -1, it is none any more */
};

#define NEVER_SAMPLED (~0ULL) /* min_exec_id of who is of some kinds, and not of all */

#define ABI_MAX_NAMES	     16 /* of a kind */
#define ABI_MAX_CGROUPS	     4096
#define ABI_MAX_CGROUP_DEPTH 32

/* ---- The dying map: address of a task that has exited -> struct dying_task ---- */

struct dying_task {
	__u64 start_ns;	  /* another's start: the memory has a new tenant */
	__u64 counted_ns; /* what dead_ns has of it already */
};

/* What on_list_task lists of every thread, and on_judge_task of every process. */
struct task_record {
	__u64 start_ns;
	__u64 exec_id;
	__u32 tid, tgid;       /* in the first pid namespace */
	__u32 ns_tid, ns_tgid; /* in ours */
	__u32 parent_tgid;     /* in the first pid namespace */
	__u32 kinds;	       /* on_judge_task: enum target_kind */
	__u32 user;	       /* on_judge_task: its effective id */
	__u32 padding;
	char comm[ABI_COMM_SIZE]; /* of the group leader */
};

/*
 * ---- Programs that never interrupt each other on a CPU share scratch memory there. A source whose
 * programs may run inside of others has a context of its own. ----
 */

enum program_context {
	/* The kernel runs one at a time on a CPU: of perf events, and of tracepoints by them. */
	CONTEXT_PERF_EVENT,
	CONTEXT_PROBE, /* those of perf events interrupt these */
	CONTEXT_SWITCH, /* of the scheduler's tracepoints, which may come in the midst of a probe's */
	CONTEXT_CUT,	/* of iterators over tasks, which are preempted */
	CONTEXT_ASLEEP, /* of one that may sleep meanwhile */
	PROGRAM_CONTEXTS,
};

/* ---- The ledger: one struct a generation, event and CPU, written there alone ---- */

enum ledger_slot {
	/* Most samples write to these, which are in one cache line with the name of their process. */
	SLOT_RUNS,
	SLOT_COUNTED,
	SLOT_WEIGHT, /* of what was counted, in the unit of its source */
	SLOT_NEW_KEYS,
	SLOT_FILTERED,

	SLOT_PASSED, /* it was not its turn: a later sample stands for it, too */
	SLOT_COUNTS_FULL,
	SLOT_COUNTS_BUSY,
	SLOT_COUNTS_ERROR,
	SLOT_NO_SET,
	SLOT_EXCLUDED, /* of no run: another event's program was in the way */
	SLOT_UNPLACED, /* as SLOT_WEIGHT of what was not counted, for want of room */

	/* Not samples: how full the maps became, as SLOT_NEW_KEYS is. */
	SLOT_NEW_SPILLS,
	SLOT_NEW_PROCESSES,
	SLOT_PROCESSES_FULL,

	/* Of waits: what threads did in their time, in ns; see kern/waits.bpf.h. */
	SLOT_LIVED_NS,
	SLOT_RUNNING_NS,
	SLOT_RUNNABLE_NS,
	SLOT_BLOCKED_NS,
	SLOT_UNKNOWN_NS,
	SLOT_SCHEDULED_NS, /* the scheduler's own account */
	SLOT_DELAYED_NS,
	SLOT_UNCREDITED_NS,   /* they ran, and its clock gave it to who came next, or to nobody */
	SLOT_OVERCREDITED_NS, /* its clock gave it to them, and they did not run yet */
	SLOT_SWITCHES,

	/* Of interpreted code: see kern/interpreter.bpf.h. */
	SLOT_NEW_CODES,
	SLOT_CODES_FULL,
	SLOT_NO_STATE,	  /* stacks with a loop whose thread has no state */
	SLOT_OUT_OF_STEP, /* stacks with a loop that runs no frame, or with frames that no loop runs */
	SLOT_BAD_CODE,	  /* code objects that are none, or cannot be read */

	SLOT_TOLD, /* as SLOT_WEIGHT of all that was to be sampled, as who chose the samples counts it */
	LEDGER_SLOTS = 37, /* with what is before them whole cache lines: CPUs do not share any */
};

struct ledger_cpu {
	/* Of the last new key: its process, once there is a record of it, and the name that the kernel had then. */
	__u64 recorded, recorded_name[2];
	__u64 slots[LEDGER_SLOTS];
};

/*
 * Rows of a generation lie together; all CPUs of the machine have one, and the last one is that of programs
 * which run for user space, and can be interrupted by all others: nr_cpus has it, too.
 */
#define LEDGER_ROWS(nr_events, nr_cpus) (ABI_GENERATIONS * (nr_events) * (nr_cpus))

static inline __attribute__((always_inline)) __u32
ledger_row(__u32 generation, __u32 event, __u32 nr_events, __u32 nr_cpus, __u32 cpu)
{
	return (generation * nr_events + event) * nr_cpus + cpu;
}

/* ---- Tracepoints and probes: what a hit weighs, and which hits count ---- */

#define ABI_MAX_CONDITIONS 4

/* A number in a tracepoint's record, or among the registers at a probe. */
struct record_field {
	__u16 offset;
	__u8 size; /* 1, 2, 4 or 8 bytes; 0: there is none */
	__u8 is_signed;
};

enum record_op {
	RECORD_EQUAL,
	RECORD_NOT_EQUAL,
	RECORD_LESS,
	RECORD_LESS_EQUAL,
	RECORD_GREATER,
	RECORD_GREATER_EQUAL,
	RECORD_BITS, /* any bit of the number is set */
};

struct record_condition {
	struct record_field field;
	__u32 op;     /* enum record_op */
	__u64 number; /* two's complement; compared as signed if the field is */
};

/* Of an event. A hit counts if it fulfils all conditions. */
struct hit_settings {
	struct record_field weight; /* none: a hit weighs 1 */
	__u32 nr_conditions;
	struct record_condition conditions[ABI_MAX_CONDITIONS];
};

/*
 * The attach cookie of a probe's perf event: the event's number, which of its sites it is, and of which process
 * (0: any).
 */
#define PROBE_COOKIE(event, site, pid) \
	((__u64)(pid) << 32 | (__u32)(site) << 8 | ((__u32)(event)&0xff))
#define PROBE_COOKIE_EVENT(cookie) ((__u32)(cookie)&0xff)
#define PROBE_COOKIE_SITE(cookie)  ((__u32)(cookie) >> 8)
#define PROBE_COOKIE_PID(cookie)   ((__u32)((cookie) >> 32)) /* in our pid namespace */

/* ---- Probes that a program was built with (USDT): where an argument is, when the instruction is reached ---- */

enum probe_argument_kind {
	PROBE_ARGUMENT_CONSTANT, /* it is the number */
	PROBE_ARGUMENT_REGISTER,
	PROBE_ARGUMENT_MEMORY, /* of the program, at the register plus the number */
};

struct probe_argument {
	__s64 number;
	__u16 register_offset; /* in struct pt_regs, user_pt_regs on aarch64; of all 8 bytes */
	__u8 kind;	       /* enum probe_argument_kind */
	__u8 size;	       /* 1, 2, 4 or 8 bytes */
	__u8 is_signed;
	__u8 padding[3];
};

/* ---- Allocations: see kern/alloc.bpf.c ---- */

#define ABI_MAX_ALLOC_SITES 64

/* A place that is passed when a block was chosen to be sampled. */
struct alloc_site {
	struct probe_argument pointer, size, bytes; /* the block, and what it stands for */
	struct probe_argument told; /* allocated since the last one, all in all; 0: not told */
	struct probe_argument
		number; /* of the block; where one is freed: of the newest that may be it; 0: not told */
};

/* Of an event's sites those from this number on are calls: see kern/malloc.bpf.c. */
#define ABI_FIRST_CALL	     ABI_MAX_ALLOC_SITES
#define ABI_MAX_MALLOC_CALLS 64

/* A function that is called for a block. */
struct malloc_call {
	struct probe_argument size,
		number; /* of bytes; and so many times that, or the constant 1 */
	__u32 before;	/* bytes of its code that are before the probe */
	__u32 code_bytes;
};

/* What is known of a thread. */
struct malloc_thread {
	__u64 left;	     /* bytes up to the one that is hit; 0: it was never seen */
	__u64 size, bytes;   /* of its last call that was chosen */
	__u64 told, since;   /* bytes up to that; and since then */
	__u64 stack, caller; /* of its last call: where its stack ends, and where it returns to */
	__u64 code, code_bytes;	  /* the function's */
	__u64 inner, inner_bytes; /* the same of another one that was called by that; 0: none */
};

#define ABI_MAX_LIVE 262144 /* sampled blocks that are not free */

struct live_key {
	__u64 process; /* the image, whoever owns it */
	__u64 pointer;
};

struct live_block {
	__u64 process; /* as of its sample */
	__u64 user;    /* a stack by what is in it */
	__u64 bytes, blocks;
	__u64 number;	  /* of the process's; 0: none */
	__u32 generation; /* that the stack was stored in */
	__u32 padding;
};

/*
 * ---- The passages map: how often programs that no read of a descriptor waits for went into a generation
 * and left it, by CPU ----
 */

struct passage {
	__u64 entered[ABI_GENERATIONS];
	__u64 left[ABI_GENERATIONS];
	__u64 is_closed;  /* this CPU is not sampled; written by user space */
	__u64 padding[3]; /* a cache line, so that CPUs do not share any */
};

/* ---- Of each CPU: when the event that is a timer was due; see kern/excluded.bpf.h ---- */

struct timer_phase {
	__u64 due_ns; /* at a time of the past; CLOCK_MONOTONIC, with what its program takes to begin */
	__u64 period; /* ns; 0: it has not run yet */
	__u64 missed; /* so many periods after due_ns it was counted as lost; 0: it was not */
};

#define NO_EVENT (~0U)

/*
 * ---- Waits: the threads storage, one for each thread of a target; see kern/waits.bpf.h. Times are those of
 * CLOCK_MONOTONIC, in ns ----
 */

struct waiting_thread {
	__u64 until_ns; /* what it did is charged up to here */
	__u64 lived_ns; /* its lifetime is accounted for up to here */
	__u64 since_ns; /* it does what it does */
	__u64 turn_ns; /* when its wait went over to its second state; 0: it has not, or nobody knows */
	__u64 left_ns;	/* it left the CPU, for the last time */
	__u64 clock_ns; /* this clock less the scheduler's of run time, when it last came to a CPU */
	__u64 queue_clock_ns; /* this clock less the scheduler's of queues; 0: not known yet */
	__u64 found_ns; /* what it did when it was found it does since nobody knows when: its account goes on from here; 0 */
	__u64 ran_ns;	/* the scheduler's account, as far as the ledger has it */
	__u64 delayed_ns;      /* likewise */
	struct sample_key key; /* of its wait: the last one, or the one at hand */
	/* Who woke it last, and when, if that is asked for. */
	__u64 waker_ns, waker_process, waker_user, waker_kernel;
	/* The user's stack with which it sleeps since then, if it slept when it was found. */
	__u64 asleep_since_ns, asleep_user;
	/* The kernel's with which it waits since then. */
	__u64 kernel_since_ns, kernel;
	/* As its wait began: what tells how long it was in its second state, or in the first, which a quota may prolong. */
	__u64 quota, before_ns;
	__u64 lock;	  /* of the kernel that it is about to wait for; 0: none */
	__u32 stands_for; /* its wait does for so many; 0: for none, its stacks were not walked */
	__u8 is_known;	  /* the rest is filled in */
	__u8 is_running;
	__u8 is_exiting;
	__u8 is_seen; /* by a switch since it was found */
};

#define STANDS_FILTERED (~0U) /* in place of stands_for: it is none of those that were asked for */

#define ABI_MAX_CPUS 8192 /* that can be asked for by number */

#define SYSCALL_WAITS 512 /* numbers of system calls that have a kind of wait */
#define WAIT_BY_FILE  63  /* in place of a kind: the file tells, which is the first argument */

/* ---- kernel_names.bpf.c ---- */

struct kernel_question {
	__u64 address;
};

/* "nft_do_chain+0x1f/0x5a0 [nf_tables]", or the address in hex where there is no symbol. */
struct kernel_name {
	char text[640]; /* KSYM_SYMBOL_LEN is less */
};

/*
 * ---- Of a set's keys, where several events share it: each has some for itself, and all have the rest in
 * common; see kern/shares.bpf.h. Written by user space with a fresh set ----
 */

struct shares {
	__u64 own;	 /* keys that no other event can take, of each */
	__u64 common;	 /* keys of whoever comes first */
	__u64 nr_common; /* of these are taken */
	__u64 nr_keys[ABI_MAX_EVENTS];
};

/* ---- Counters of the other programs; changed by atomics only ---- */

struct program_session {
	/* Each sample reads these two. Written by user space. */
	__u32 generation;
	__u32 tables_epoch; /* another one whenever unwind tables are gone, in whose place others may be; from 1 on */

	__u64 pid_namespace; /* ours: where the kernel has it */
	__u64 nr_targets;    /* entries of the targets map */
	__u64 children_not_followed;
	__u64 dead_ns;	 /* CPU time of target threads that are gone */
	__u64 living_ns; /* sum of one pass of the task iterator */
	__u64 runtime_untracked;
	__u32 pass;	 /* over all tasks; written by user space */
	__u32 judgement; /* of all tasks; written by user space */
	__u32 nr_moved;	 /* how often a process was found to be of other kinds */
	__u32 begins;	 /* nothing is sampled yet: all that run are judged for the first time */

	/* Of waits, which are charged to generations by time. Written by user space. */
	__u64 flip_ns[ABI_GENERATIONS]; /* when a generation began, or will begin */
	__u64 begin_ns;			/* of all of them; 0: not yet */
	__u32 open_generation;		/* ended, but not settled; NO_GENERATION: there is none */
	__u32 pid_level;  /* of our pid namespace, below the first; written by on_list_task */
	__u64 nr_exiting; /* threads between their exit and their last switch */
	__u64 nr_asleep, nr_asleep_walked;

	__u64 is_sampling; /* all that is needed is in place, and nothing gone; written by user space */
	__u64 slices_begin_ns; /* the first slice of time does; written by user space */

	/* Of an event that is counted, one hit in so many is a sample; written by user space. 0: each. */
	__u64 one_in[ABI_MAX_EVENTS];

	struct shares shares[ABI_GENERATIONS];

	__u32 nr_seen; /* targets that the pass at hand has met */
	__u32 padding_seen;

	struct store_state stores[ABI_GENERATIONS] __attribute__((aligned(64)));
};

_Static_assert(ABI_MAX_EVENTS <= 1 << WHAT_EVENT_BITS, "each has a number");
_Static_assert(WHAT_HAS_WAKER < 1U << WHAT_SLICE_SHIFT, "bits of their own");
_Static_assert(sizeof(struct process_record) == 80, "no silent padding");
_Static_assert(sizeof(struct spilled_stack) == SPILLED_STACK_BYTES(ABI_MAX_DEPTH), "its size");
_Static_assert(sizeof(struct target_entry) == 24, "no silent padding");
_Static_assert(sizeof(struct dying_task) == 16, "no silent padding");
_Static_assert(sizeof(struct task_record) == 64, "no silent padding");
_Static_assert(sizeof(struct ledger_cpu) == 320, "whole cache lines");
_Static_assert(sizeof(struct waiting_thread) == 208, "no silent padding");
_Static_assert(sizeof(struct record_condition) == 16, "no silent padding");
_Static_assert(sizeof(struct hit_settings) == 72, "no silent padding");
_Static_assert(sizeof(struct passage) == 64, "a whole cache line");
_Static_assert(sizeof(struct probe_argument) == 16, "no silent padding");
_Static_assert(sizeof(struct alloc_site) == 80, "no silent padding");
_Static_assert(sizeof(struct malloc_call) == 40, "no silent padding");
_Static_assert(sizeof(struct malloc_thread) == 88, "no silent padding");
_Static_assert(sizeof(struct live_key) == 16, "no silent padding");
_Static_assert(sizeof(struct live_block) == 48, "no silent padding");

#endif
