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

#include "topstacks/probes_abi.h"
#include "topstacks/store_abi.h"
#include "topstacks/waits_abi.h"

#define ABI_GENERATIONS 2
#define NO_GENERATION	ABI_GENERATIONS
#define ABI_MAX_DEPTH	1024 /* frames; the session's own depth is cfg_max_depth */
#define ABI_COMM_SIZE	16
#define ABI_MAX_TARGETS 16384 /* of one target that are alive at a time */
#define ABI_MAX_DYING	16384 /* threads of one target between exit and free */
#define ABI_MAX_EVENTS	8     /* sampled at a time; in the kernel their number is their order */

/* The largest weight of a sample, and of a sum of samples: what a file can hold. */
#define ABI_MAX_WEIGHT 0x7fffffffffffffffULL

/* ---- A reference to a stack: the top two bits hold its tag, the others depend on the tag. ---- */

#define STACK_TAG_SHIFT	  62
#define STACK_REST(ref)	  ((ref) & ((1ULL << STACK_TAG_SHIFT) - 1))
#define STACK_TAG(ref)	  ((ref) >> STACK_TAG_SHIFT)
#define STACK_REF(tag, x) (((__u64)(tag) << STACK_TAG_SHIFT) | (x))

#define STACK_NONE    0ULL /* no stack of this kind was asked for or exists; no loss */
#define STACK_OBJECT  0ULL /* rest, not 0: address of what is waited for; no kernel stack */
#define STACK_ID      1ULL /* rest: id in the generation's stack trace map */
#define STACK_SPILLED 2ULL /* rest: key in the generation's known map; the log has the stack */
#define STACK_MISSING 3ULL /* rest: enum stack_missing, why the stack is missing */

enum stack_missing {
	STACK_MISSING_SPILL_FULL,
	STACK_MISSING_COLLISION,
	STACK_MISSING_BUSY,
	STACK_MISSING_UNREADABLE,
};

/*
 * ---- A frame is a word: an address, or a position in interpreted code. ----
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
	LANGUAGES, /* languages from here on have no name yet */
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

/* Returns enum word_language; LANGUAGE_NONE: the word is an address. */
static inline __attribute__((always_inline)) __u32 word_language(__u64 word)
{
	return word >> 63 && !word_is_kernel(word) ? word >> WORD_LANGUAGE_SHIFT & 15 : 0;
}

/*
 * Returns the word for an address from a stack that may be damaged. If the address would read as
 * interpreted code, its top bit is cleared: nothing can be mapped at either address.
 */
static inline __attribute__((always_inline)) __u64 word_of_address(__u64 address)
{
	return word_language(address) ? address & ~(1ULL << 63) : address;
}

/* ---- sample_key.what (store_abi.h) ---- */

/*
 * The bits of sample_key.what, and which samples use them:
 *
 *	bits     holds                      where
 *	0..2     number of the event        always
 *	3..12    WAIT() (waits.h)           events that are waits; 0: others
 *	13       kernel refers to words     --wakers: key.kernel is a stack of enum waker_word
 *	17..31   slice of time              --slices
 *	14..18   length of a wait           reserved: a power of two of ns
 *	19..26   class of a span            reserved
 *	27..30   group of a span            reserved
 *
 * The event, WAIT(), lengths of waits and spans can be combined with each other and with all else.
 * Slices of time share bits with lengths and spans, so an option for these is refused beside
 * slices. key.kernel can refer to the thread's waker, or (reserved) to the thread that had its CPU:
 * only one of them can be asked for at a time. Owners, and labels when there are any, need no bit:
 * each set of them is an instance of its own (hash_owned).
 */
#define WHAT_EVENT_BITS	  3
#define WHAT_WAIT_BITS	  10
#define WHAT_HAS_WAKER	  (1U << (WHAT_EVENT_BITS + WHAT_WAIT_BITS))
#define WHAT(event, wait) ((__u32)(event) | (__u32)(wait) << WHAT_EVENT_BITS)
#define WHAT_EVENT(what)  ((what) & ((1U << WHAT_EVENT_BITS) - 1))
#define WHAT_WAIT(what)	  ((what) >> WHAT_EVENT_BITS & ((1U << WHAT_WAIT_BITS) - 1))

/*
 * Slice numbers wrap around. There are so many of them that a drain, which comes every second, can
 * tell which round a number belongs to. A number for each slice of the whole run would fill the map
 * with keys that are never counted again.
 */
#define WHAT_SLICE_SHIFT 17
#define WHAT_SLICE_BITS	 15
#define WHAT_SLICE(what) ((what) >> WHAT_SLICE_SHIFT)

enum waker_word {
	WAKER_SLEPT, /* the reference that key.kernel is without --wakers */
	WAKER_PROCESS,
	WAKER_USER, /* user stack of the waker at the wakeup */
	WAKER_KERNEL,
	WAKER_WORDS,
};

/* in place of enum unwind_step: the record holds waker words, not a stack */
#define SPILLED_WAKER 255

/*
 * ---- A process, by its instance. Where threads are told apart, each thread has a record beside
 * its process's record ----
 */

struct process_record {
	__u64 instance;
	__u64 start_ns; /* CLOCK_BOOTTIME */
	__u64 exec_id;
	__u64 seen_ns; /* CLOCK_MONOTONIC of the record */
	__u64 cgroup;
	__u32 tgid; /* in the first pid namespace */
	/* in our pid namespace; 0: not visible there; in a thread's record, the thread's id */
	__u32 ns_tgid;
	__u32 own_tgid; /* in the task's own pid namespace; else as ns_tgid */
	__u32 tid;	/* thread id; 0: this is the record of a process */
	__u32 owner;	/* the user's id, or one of the ABI_OWNER_ numbers below */
	__u8 kernel_thread;
	/* the task has no memory map any more: only its ids tell which process it belonged to */
	__u8 is_gone;
	__u8 padding[2];
	char comm[ABI_COMM_SIZE];
};

/* the process has no owner that can be told; no user has this id */
#define ABI_OWNER_NOBODY  0xffffffffU
#define ABI_OWNER_UNKNOWN 0xfffffffeU /* owners were not asked for; this user counts as no owner */

/*
 * ---- A spilled stack: it found no room in the stack trace map, or our own programs walked it ----
 */

struct spilled_stack {
	__u64 key;   /* 62 bits of hash */
	__u64 check; /* a second, independent hash: a collision of keys is seen, not merged */
	__u32 nr_frames;
	__u32 padding;
	__u32 end;		    /* enum unwind_step; 0: walked along frame pointers */
	__u32 nr_guessed;	    /* steps that may have skipped frames */
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
 * The reasons for which a process is a target: its id was named, or it meets a condition. A process
 * is sampled if it has all kinds that were asked for (cfg_kinds).
 */
enum target_kind {
	KIND_ID = 1 << 0,
	KIND_COMM = 1 << 1,
	KIND_USER = 1 << 2,
	KIND_CGROUP = 1 << 3,
	KIND_CONTAINER = 1 << 4,
	KIND_COMMAND = 1 << 5, /* becomes KIND_ID at its next exec */
	KINDS_BY_NAME = KIND_COMM | KIND_USER | KIND_CGROUP | KIND_CONTAINER,
};

struct target_entry {
	/* start of the process or thread; another start: the id was reused, and is no target */
	__u64 start_ns;
	__u64 min_exec_id; /* sampled from this exec on */
	__u32 pass;	   /* session.pass of the last pass that saw it alive */
	__u16 judged;	   /* low bits of session.judgement when it was last judged */
	__u8 kinds;	   /* enum target_kind: the kinds it has */
	/* result of that judgement: 1: became a target; -1: is no target any more */
	__s8 moved;
};

/* min_exec_id of a process that has some of the kinds asked for, but not all */
#define NEVER_SAMPLED (~0ULL)

#define ABI_MAX_NAMES	     16 /* of each kind */
#define ABI_MAX_CGROUPS	     4096
#define ABI_MAX_CGROUP_DEPTH 32

/* ---- The dying map: address of a task that has exited -> struct dying_task ---- */

struct dying_task {
	__u64 start_ns;	  /* another start: the address belongs to a newer task */
	__u64 counted_ns; /* the part of its CPU time that is already in dead_ns */
};

/* One record of on_list_task for each thread, and of on_judge_task for each process. */
struct task_record {
	__u64 start_ns;
	__u64 exec_id;
	__u32 tid, tgid;       /* in the first pid namespace */
	__u32 ns_tid, ns_tgid; /* in ours */
	__u32 parent_tgid;     /* in the first pid namespace */
	__u32 kinds;	       /* on_judge_task: enum target_kind */
	__u32 user;	       /* on_judge_task: effective user id */
	__u32 padding;
	char comm[ABI_COMM_SIZE]; /* of the group leader */
};

/*
 * ---- Programs that never interrupt each other on a CPU share scratch memory there. If a source's
 * programs may run inside other programs, it has a context of its own. ----
 */

enum program_context {
	/*
	 * Programs of perf events, and of tracepoints through perf events: the kernel runs one at a
	 * time on a CPU.
	 */
	CONTEXT_PERF_EVENT,
	CONTEXT_PROBE,	/* probes: programs of perf events interrupt them */
	CONTEXT_SWITCH, /* the scheduler's tracepoints: they may fire inside a probe's program */
	CONTEXT_CUT,	/* iterators over tasks: preemptible */
	CONTEXT_ASLEEP, /* a program that may sleep */
	PROGRAM_CONTEXTS,
};

/*
 * ---- The ledger: one struct for each generation, event and CPU; only that CPU writes to it ----
 */

enum ledger_slot {
	/*
	 * Most samples write to these slots; they share a cache line with the name of the last
	 * process.
	 */
	SLOT_RUNS,
	SLOT_COUNTED,
	SLOT_WEIGHT, /* of the counted samples, in the unit of the source */
	SLOT_NEW_KEYS,
	SLOT_FILTERED,

	SLOT_PASSED, /* skipped by one-in-N sampling: a later sample stands for it, too */
	SLOT_COUNTS_FULL,
	SLOT_COUNTS_BUSY,
	SLOT_COUNTS_ERROR,
	SLOT_NO_SET,
	SLOT_EXCLUDED, /* hits without a run: another event's program was running */
	SLOT_UNPLACED, /* weight of samples that found no room in the maps */

	/* Fill levels of the maps, as SLOT_NEW_KEYS: no samples. */
	SLOT_NEW_SPILLS,
	SLOT_NEW_PROCESSES,
	SLOT_PROCESSES_FULL,

	/* Waits: how target threads spent their time, in ns; see kern/waits/waits.bpf.h. */
	SLOT_LIVED_NS,
	SLOT_RUNNING_NS,
	SLOT_RUNNABLE_NS,
	SLOT_BLOCKED_NS,
	SLOT_UNKNOWN_NS,
	SLOT_SCHEDULED_NS, /* run time by the scheduler's own account */
	SLOT_DELAYED_NS,
	SLOT_UNCREDITED_NS, /* run, but credited by the scheduler to the next thread, or to none */
	SLOT_OVERCREDITED_NS, /* credited by the scheduler before the thread ran */
	SLOT_SWITCHES,

	/* Interpreted code: see kern/interpreters/interpreter.bpf.h. */
	SLOT_NEW_CODES,
	SLOT_CODES_FULL,
	/* stacks with an interpreter loop whose thread has no interpreter state */
	SLOT_NO_STATE,
	/*
	 * stacks where loops and frames do not match: a loop runs no frame, or no loop runs a frame
	 */
	SLOT_OUT_OF_STEP,
	SLOT_BAD_CODE, /* code objects that are invalid or cannot be read */

	/*
	 * weight that should have been sampled, as the library or runtime that chose the samples
	 * reports it
	 */
	SLOT_TOLD,
	/* together with the members before them, whole cache lines: CPUs share none */
	LEDGER_SLOTS = 37,
};

struct ledger_cpu {
	/*
	 * The process of the last new key, once there is a record of it, and the name the kernel
	 * had for it then.
	 */
	__u64 recorded, recorded_name[2];
	__u64 slots[LEDGER_SLOTS];
};

/*
 * Rows of a generation lie together. Each CPU of the machine has one. One more row, which nr_cpus
 * includes, is for programs that run on behalf of user space and that any other program can
 * interrupt.
 */
#define LEDGER_ROWS(nr_events, nr_cpus) (ABI_GENERATIONS * (nr_events) * (nr_cpus))

static inline __attribute__((always_inline)) __u32
ledger_row(__u32 generation, __u32 event, __u32 nr_events, __u32 nr_cpus, __u32 cpu)
{
	return (generation * nr_events + event) * nr_cpus + cpu;
}

/*
 * ---- The passages map, by CPU: how often programs entered a generation and left it. Counted for
 * programs whose end no read of a descriptor waits for ----
 */

struct passage {
	__u64 entered[ABI_GENERATIONS];
	__u64 left[ABI_GENERATIONS];
	__u64 is_closed;  /* this CPU is not sampled; written by user space */
	__u64 padding[3]; /* a cache line, so that CPUs do not share any */
};

/* ---- For each CPU, when the timer event was due; see kern/account/excluded.bpf.h ---- */

struct timer_phase {
	/* a past due time; CLOCK_MONOTONIC, plus the time the program takes to start */
	__u64 due_ns;
	__u64 period; /* ns; 0: it has not run yet */
	__u64 missed; /* periods after due_ns at which a hit was last counted as lost; 0: none */
};

#define NO_EVENT (~0U)

/* ---- kernel_names.bpf.c ---- */

struct kernel_question {
	__u64 address;
};

/*
 * The answer: "nft_do_chain+0x1f/0x5a0 [nf_tables]", or the address in hex if there is no symbol.
 */
struct kernel_name {
	char text[640]; /* KSYM_SYMBOL_LEN is less */
};

/*
 * ---- Shares: a set's keys where several events share the set. Each event has some for itself; the
 * rest is common. See kern/account/shares.bpf.h. User space writes it with a fresh set ----
 */

struct shares {
	__u64 own;	 /* keys reserved for each event */
	__u64 common;	 /* keys for any event, first come, first served */
	__u64 nr_common; /* common keys that are taken */
	__u64 nr_keys[ABI_MAX_EVENTS];
};

/* ---- Counters of all other programs; changed by atomics only ---- */

struct program_session {
	/* Each sample reads the first two members. User space writes them. */
	__u32 generation;
	/*
	 * changes whenever unwind tables are removed and others may take their place; starts at 1
	 */
	__u32 tables_epoch;

	__u64 pid_namespace; /* our pid namespace: its address in the kernel */
	__u64 nr_targets;    /* entries of the targets map */
	__u64 children_not_followed;
	__u64 dead_ns; /* CPU time of target threads that have ended */
	/* CPU time of living target threads: sum of one pass of the task iterator */
	__u64 living_ns;
	__u64 runtime_untracked;
	__u32 pass;	 /* number of the pass over all tasks; written by user space */
	__u32 judgement; /* number of the judgement of all tasks; written by user space */
	__u32 nr_moved;	 /* how often a judgement found that a process has other kinds */
	/* set before sampling: all running processes are judged for the first time */
	__u32 begins;

	/* Waits are charged to generations by time. User space writes these. */
	__u64 flip_ns[ABI_GENERATIONS]; /* when each generation began, or will begin */
	__u64 begin_ns;			/* when the first generation began; 0: not yet */
	/* a generation that has ended but is not settled; NO_GENERATION: none */
	__u32 open_generation;
	__u32 pid_level;  /* level of our pid namespace below the first; written by on_list_task */
	__u64 nr_exiting; /* threads between their exit and their last switch */
	__u64 nr_asleep, nr_asleep_walked;

	/*
	 * sampling is on: everything is in place, and nothing is closed yet; written by user space
	 */
	__u64 is_sampling;
	__u64 slices_begin_ns; /* begin of the first time slice; written by user space */

	/*
	 * Sampling of counted events: one hit in one_in is a sample; 0: each hit. User space writes
	 * it.
	 */
	__u64 one_in[ABI_MAX_EVENTS];

	struct shares shares[ABI_GENERATIONS];

	/* the program that takes walks over is loaded; written by user space */
	__u64 takes_over;

	__u32 nr_seen; /* targets that the current pass has met */
	/* one_in is more than the period that was asked for: samples are drawn by chance */
	__u32 by_chance;

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
_Static_assert(sizeof(struct passage) == 64, "a whole cache line");

#endif
