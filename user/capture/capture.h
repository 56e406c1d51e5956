/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Capture is the only part that touches BPF and perf. A session samples its targets into kernel
 * maps. A drain hands over the samples counted since the last one, raw, with process events in
 * order.
 *
 *   capture__open → capture__start → capture__drain → … → capture__stop → last drain → close
 */
#ifndef TOPSTACKS_CAPTURE_CAPTURE_H
#define TOPSTACKS_CAPTURE_CAPTURE_H

#include <sys/types.h>

#include "base/common.h"
#include "capture/events/capture_options.h"
#include "capture/events/event.h"
#include "capture/events/sample.h"
#include "profile/ledger.h"

struct capture;
struct pace;
struct pollfd;

/*
 * Loads the programs, opens the side-band rings and finds the targets; nothing is sampled yet. On
 * failure everything is released. Returns 0 or negative errno; -ESRCH: no such process or thread.
 */
int capture__open(struct capture **capture, const struct capture_options *options,
		  struct error *err);

/* Opens and enables the events; sampling goes on until capture__stop. */
int capture__start(struct capture *capture, struct error *err);

/* Disables the events; the next drain is the last one and is complete. */
void capture__stop(struct capture *capture);

/* capture may be NULL. */
void capture__close(struct capture *capture);

/*
 * A descriptor that is readable while process events wait: then call capture__dispatch. Borrowed.
 */
int capture__fd(const struct capture *capture);

/*
 * Hands over the process events so far and adds the number of lost ones to *nr_lost. Returns 0 or
 * negative errno with a sentence.
 */
int capture__dispatch(struct capture *capture, const struct capture_sink *sink, uint64_t *nr_lost,
		      struct error *err);

/* Returns how many ns process events should still wait, so that the rest of their burst arrives. */
uint64_t capture__burst_ns(const struct capture *capture);

/*
 * Returns true if a map of the current generation fills up, or if a drain must tell which processes
 * need unwind tables. Reads mapped memory only, so it is cheap.
 */
bool capture__should_drain(const struct capture *capture);

/*
 * Changes generations and hands over everything sampled since the last drain: process events first,
 * then samples. Adds the fate of these events to the ledgers, one for each event; the fields whole,
 * truncated and unverified are left to the code that names frames. Amounts that concern all events,
 * lost records and the cost of drains, are in each ledger. Returns 0 or negative errno.
 */
int capture__drain(struct capture *capture, enum drain_moment moment,
		   const struct capture_sink *sink, struct ledger *ledgers, struct error *err);

/*
 * Changes the sampling rate. Call it right after a drain, with the drain's ledgers: the last counts
 * of the old rate are added to them. Returns 0 or negative errno.
 */
int capture__set_pace(struct capture *capture, const struct pace *pace, struct ledger *ledgers,
		      struct error *err);

/* Releases a stack that was held by raw_stacks__hold(). Any thread may. NULL is fine. */
void capture__release_stack(struct capture *capture, const struct raw_stack *stack);

/*
 * Returns when the last drain changed generations, which is the end of the time it covers.
 * CLOCK_MONOTONIC.
 */
uint64_t capture__drained_ns(const struct capture *capture);

/*
 * Returns the kernel's name for a kernel address: "name+0x1f/0x5a0 [module]", or the address in hex
 * if there is no symbol. Valid until the next call. NULL: the kernel cannot be asked (before 5.14).
 * One thread may call this while another drains.
 */
const char *capture__kernel_name(struct capture *capture, uint64_t address);

/*
 * Returns the number of living targets, children included. Always 1 for SCOPE_SYSTEM and
 * SCOPE_NAMED.
 */
uint64_t capture__nr_living(const struct capture *capture);

/*
 * Returns the n-th process that was a target from the start, in our pid namespace; 0 after the
 * last.
 */
int32_t capture__target_pid(const struct capture *capture, size_t n);

/*
 * Returns the least kernel.perf_event_max_sample_rate at which this machine throttles none of these
 * events at this rate. 0: the events need no limit, or are invalid.
 */
double capture__needed_limit_hz(const char *events, double rate_hz);

/*
 * Returns the weight between two samples of a CPU at this rate, in the event's unit; 0: it varies.
 */
uint64_t capture__period(const struct capture *capture, size_t event, double rate_hz);

/* Returns the events by number; valid until the capture is closed. */
const struct events *capture__events(const struct capture *capture);

/* Returns true if unwind tables wait to be loaded: call capture__load_tables again soon. */
bool capture__is_behind(const struct capture *capture);

/*
 * Loads the unwind tables that have arrived and requests those that are wanted, without waiting.
 * Returns 0 or negative errno with a sentence.
 */
int capture__load_tables(struct capture *capture, struct error *err);

#define CAPTURE_MAX_WATCHED 6

/*
 * Fills in descriptors to poll beside capture__fd: one is readable when there are tables to load.
 * Returns their number.
 */
size_t capture__watch(const struct capture *capture, struct pollfd *watched);

/* As unwinding__take_failure: why a file has no tables. */
bool capture__take_failure(struct capture *capture, char *text, size_t size);

/* Facts about the run that reports print. */
struct capture_facts {
	const struct events *events; /* by number */
	const char *unwinding;	     /* as FACT_UNWINDING; NULL: user stacks are not walked */
	/*
	 * Abilities that the kernel lacks, as found at the start; MOST_LOST_ABILITIES, as in struct
	 * recording; NULL: none.
	 */
	const struct lost_ability *lost_abilities;
	/*
	 * Why interpreter frames are missing although they were asked for; NULL: they are not
	 * missing.
	 */
	const char *no_interpreters;
	unsigned int nr_cpus;
	bool has_cycles; /* the CPU has a counter, -e cycles, that sees code with interrupts off */
};

void capture__facts(const struct capture *capture, struct capture_facts *facts);
/*
 * Returns the locked memory of all maps. Asks the kernel for each map, which takes a millisecond.
 */
size_t capture__kernel_bytes(const struct capture *capture);
unsigned int capture__max_depth(const struct capture *capture);
/* Returns runs of the sampling program and their time so far; 0 without program_time. */
void capture__program_time(const struct capture *capture, uint64_t *nr_runs, uint64_t *run_ns);

#endif
