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
#include "capture/events/capture_options.h"
#include "capture/events/event.h"
#include "capture/events/sample.h"
#include "profile/ledger.h"

struct capture;
struct pace;
struct pollfd;

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

/* Hands over the process events so far; adds those that were lost. 0 or negative errno with a sentence. */
int capture__dispatch(struct capture *capture, const struct capture_sink *sink, uint64_t *nr_lost,
		      struct error *err);

/* For how long process events are better left to wait for the rest of their burst; ns. */
uint64_t capture__burst_ns(const struct capture *capture);

/*
 * A map of the current generation fills up, or it is not known yet whose tables are needed.
 * Costs a look at mapped memory.
 */
bool capture__should_drain(const struct capture *capture);

/*
 * Changes generations and hands over everything sampled since the last drain: process events
 * first, then samples. Adds to the ledgers, one an event, what became of the events of that time;
 * whole, truncated and unverified are left to whoever can name frames. What concerns all events,
 * records that were lost and what drains take, is in each of them. 0 or negative errno.
 */
int capture__drain(struct capture *capture, enum drain_moment moment,
		   const struct capture_sink *sink, struct ledger *ledgers, struct error *err);

/*
 * Samples at another pace from here on. Call right after a drain, with its ledgers: what the events of the
 * old rate still had to say is added to them. 0 or negative errno.
 */
int capture__set_pace(struct capture *capture, const struct pace *pace, struct ledger *ledgers,
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

/* Targets alive, children included; 0 when all are gone. Always 1 for SCOPE_SYSTEM and SCOPE_NAMED. */
uint64_t capture__nr_living(const struct capture *capture);

/* The n-th process that was a target from the start, in our pid namespace; 0 after the last. */
int32_t capture__target_pid(const struct capture *capture, size_t n);

/*
 * The least kernel.perf_event_max_sample_rate with which none of these events is throttled at this
 * rate, here. 0: they need none, or there is no such event.
 */
double capture__needed_limit_hz(const char *events, double rate_hz);

/* Of the weight's unit between two samples of a CPU at this rate; 0: it is not one number. */
uint64_t capture__period(const struct capture *capture, size_t event, double rate_hz);

/* What is sampled, by their numbers; valid until it is closed. */
const struct events *capture__events(const struct capture *capture);

/* Unwind tables wait to be loaded: call capture__load_tables soon again. */
bool capture__is_behind(const struct capture *capture);

/* Loads what has arrived, and asks for what is wanted; waits for nothing. 0 or negative errno with a sentence. */
int capture__load_tables(struct capture *capture, struct error *err);

#define CAPTURE_MAX_WATCHED 6

/* What to poll for, beside capture__fd: there are tables to load. Returns how many. */
size_t capture__watch(const struct capture *capture, struct pollfd *watched);

/* As unwind_loader__take_failure: why there are no tables of a file. */
bool capture__take_failure(struct capture *capture, char *text, size_t size);

/* What is known of the sampling as such. */
struct capture_facts {
	const struct events *events; /* by their numbers */
	const char *unwinding;	     /* as FACT_UNWINDING; NULL: user stacks are not walked */
	/* Asked for at the start; MOST_LOST_ABILITIES, as in struct recording; NULL: none. */
	const struct lost_ability *lost_abilities;
	/* Why there are no frames of interpreters, though they were asked for; NULL: there are. */
	const char *no_interpreters;
	unsigned int nr_cpus;
	bool has_cycles; /* -e cycles sees code with interrupts off */
};

void capture__facts(const struct capture *capture, struct capture_facts *facts);
/* memlock of all maps, each of which is asked for it: that takes a millisecond. */
size_t capture__kernel_bytes(const struct capture *capture);
unsigned int capture__max_depth(const struct capture *capture);
/* Runs of the sampling program and the time they took so far; 0 without program_time. */
void capture__program_time(const struct capture *capture, uint64_t *nr_runs, uint64_t *run_ns);

#endif
