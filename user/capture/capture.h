/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Capture: everything that touches BPF and perf. A session samples its targets into kernel maps;
 * a drain hands over what was counted since the last one, raw, with process events in order.
 *
 *   capture__open → capture__start → capture__drain → … → capture__stop → last drain → close
 */
#ifndef TOPSTACKS_CAPTURE_CAPTURE_H
#define TOPSTACKS_CAPTURE_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "processes/process.h"
#include "profile/ledger.h"
#include "profile/metric.h"

struct capture;

enum capture_scope {
	SCOPE_SYSTEM,
	SCOPE_PROCESSES, /* ids are process ids */
	SCOPE_THREAD,	 /* ids[0] is a thread id */
	SCOPE_COMMAND,	 /* ids[0] is our own child, sampled from its next exec on */
};

/* How user stacks are walked. */
enum unwinder {
	UNWINDER_AUTO, /* by tables where the kernel can */
	UNWINDER_FRAME_POINTERS,
	UNWINDER_TABLES, /* or not at all */
};

struct capture_options {
	const char *event; /* as the user says it: "cpu"; NULL: that */
	enum capture_scope scope;
	const pid_t *ids; /* in our pid namespace */
	size_t nr_ids;
	bool follow_children;
	bool user_stacks, kernel_stacks;
	bool by_thread;
	bool program_time; /* let the kernel time its programs, which costs each run about 20 ns */
	double rate_hz;
	const bool *cpus; /* by CPU number; NULL: all that are online */
	size_t nr_cpus;
	unsigned int max_depth;	 /* frames; lowered to kernel.perf_event_max_stack */
	size_t max_memory_bytes; /* of all maps in the kernel, but those of unwind tables */
	enum unwinder unwinder;
	size_t max_unwind_bytes; /* of unwind tables in the kernel */
};

/* How a walk ended. */
enum stack_end {
	END_OPEN,  /* nobody can know: in part or all along frame pointers */
	END_WHOLE, /* where an unwind table says that there is no caller */
	END_CUT,   /* + enum cut: before that */
};

/* A stack as the kernel saw it: words, leaf first. Interned: one pointer per distinct content. */
struct raw_stack {
	uint64_t id; /* never given twice in a session */
	enum stack_end end;
	uint32_t hash; /* of the words */
	uint32_t nr_references;
	uint32_t nr_frames;
	uint64_t words[]; /* addresses, or interpreted code: see word__language */
};

/* "[python]": whose interpreted code a word of a stack stands for. NULL: it is an address. */
const char *word__language(uint64_t word);

struct raw_sample {
	const struct process *process;	       /* NULL: its record was lost */
	int32_t tid;			       /* 0 unless by_thread */
	const struct raw_stack *user, *kernel; /* NULL: none, or missing */
	int missing;			       /* enum missing of a stack that is not here, or -1 */
	uint64_t count;
	uint64_t weight; /* ns */
};

/*
 * Who receives what a session has to say. Everything passed is borrowed until the call returns, but
 * for stacks that are held.
 */
struct capture_sink {
	void *context;
	void (*on_event)(void *context, const struct process_event *event);
	void (*on_sample)(void *context, const struct raw_sample *sample);
};

/*
 * Loads the programs, opens the side-band rings and finds the targets; nothing is sampled yet.
 * Everything is released again if it fails. -ESRCH: no such process or thread.
 */
int capture__open(struct capture **capture, const struct capture_options *options,
		  struct error *err);

/* Opens and enables the events: sampling goes on from here until capture__stop. */
int capture__start(struct capture *capture, struct error *err);

/* Disables the events: the next drain is the last, and it has everything. */
void capture__stop(struct capture *capture);

/* NULL is fine. */
void capture__close(struct capture *capture);

/* Readable when process events wait: call capture__dispatch then. Owned by the session. */
int capture__fd(const struct capture *capture);

/* Hands over the process events so far; adds those that were lost. 0 or negative errno. */
int capture__dispatch(struct capture *capture, const struct capture_sink *sink, uint64_t *nr_lost);

/*
 * A map of the current generation is half full, or it is not known yet whose tables are needed.
 * Costs a look at mapped memory.
 */
bool capture__should_drain(const struct capture *capture);

/*
 * Changes generations and hands over everything sampled since the last drain: process events
 * first, then samples. Adds to *ledger what became of the events of that time; whole, truncated
 * and unverified are left to whoever can name frames. 0 or negative errno.
 */
int capture__drain(struct capture *capture, const struct capture_sink *sink, struct ledger *ledger,
		   struct error *err);

/*
 * Samples at another rate from here on. Call right after a drain, with its ledger: what the events
 * of the old rate still had to say is added to it. 0 or negative errno.
 */
int capture__set_rate(struct capture *capture, double rate_hz, struct ledger *ledger,
		      struct error *err);

/*
 * A stack of a sample, to be kept until it is released; both may be called by any thread. NULL is
 * fine.
 */
const struct raw_stack *capture__hold_stack(struct capture *capture, const struct raw_stack *stack);
void capture__release_stack(struct capture *capture, const struct raw_stack *stack);

/* When the last drain changed generations: the end of the time it is about. CLOCK_MONOTONIC. */
uint64_t capture__drained_ns(const struct capture *capture);

/*
 * What the kernel calls one of its addresses: "name+0x1f/0x5a0 [module]", or the address in hex
 * where there is no symbol. Valid until the next call. NULL: it cannot be asked (before 5.14). One
 * thread may ask while another drains.
 */
const char *capture__kernel_name(struct capture *capture, uint64_t address);

/* Targets alive, children included; 0 when all are gone. Always 1 for SCOPE_SYSTEM. */
uint64_t capture__nr_living(const struct capture *capture);

/* The n-th process that was a target from the start, in our pid namespace; 0 after the last. */
int32_t capture__target_pid(const struct capture *capture, size_t n);

/* The least kernel.perf_event_max_sample_rate with which this rate is not throttled, here. */
double capture__needed_limit_hz(double rate_hz);
/* "unwind tables" or "frame pointers": how user stacks are walked; NULL: they are not. */
const char *capture__unwinding(const struct capture *capture);

/* Unwind tables wait to be loaded: call capture__dispatch soon again. */
bool capture__is_behind(const struct capture *capture);

/* What is sampled: "cpu-clock", and what the two values of a sample measure. */
const char *capture__event(const struct capture *capture);
const struct metrics *capture__metrics(const struct capture *capture);

unsigned int capture__nr_cpus(const struct capture *capture);
unsigned int capture__max_depth(const struct capture *capture);
/* Runs of the sampling program and the time they took so far; 0 without program_time. */
void capture__program_time(const struct capture *capture, uint64_t *nr_runs, uint64_t *run_ns);
size_t capture__kernel_bytes(const struct capture *capture); /* memlock of all maps */

#endif
