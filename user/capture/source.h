/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A source of events: what makes the BPF programs take samples, and what it can say of them. A
 * source is a file in sources/ and a row in its table; the session works through these verbs alone.
 *
 *   parse → open → start → (settle → cut → account → set_rate)* → stop → settle → account → close
 */
#ifndef TOPSTACKS_CAPTURE_SOURCE_H
#define TOPSTACKS_CAPTURE_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "profile/metric.h"

struct bpf_program;
struct cpus;
struct ledger;

/* How user stacks are walked: each way has a program of its own. */
enum walk {
	WALK_FRAME_POINTERS,
	WALK_TABLES,
	WALKS,
};

struct source_options {
	double rate_hz;
	bool everyone;	   /* all processes, the idle task too where that can be had */
	struct cpus *cpus; /* borrowed; written to when a CPU is found to have been away */
};

/* Verbs return 0 or negative errno with err filled; state is what open made. */
struct source {
	const char *name; /* of the event in recordings: "cpu-clock" */
	struct metrics metrics;
	const char *programs[WALKS]; /* the BPF program that samples */

	/* Whether these words of the user's mean this source. */
	bool (*parse)(const char *words);

	/* Finds out whether it can be had here; nothing is sampled yet. */
	int (*open)(void **state, const struct source_options *options, struct error *err);

	/* Samples are taken from here on. */
	int (*start)(void *state, const struct bpf_program *program, struct error *err);

	/*
	 * The grace period: no program runs any more, when it returns, that ran at the call. Notes
	 * on the way what account tells.
	 */
	int (*settle)(void *state, struct error *err);

	/* Charges to a generation that is settled what is open at its end. NULL: nothing ever is. */
	int (*cut)(void *state, uint32_t owned, struct error *err);

	/* Adds to the ledger what should have been sampled until the last settle, and was not. */
	void (*account)(void *state, struct ledger *ledger);

	/* Of the weight's unit between two samples of a CPU at this rate. NULL: it has no rate. */
	uint64_t (*period)(double rate_hz);

	/*
	 * The least kernel.perf_event_max_sample_rate with which this rate is not throttled. NULL:
	 * none is needed.
	 */
	double (*needed_limit_hz)(double rate_hz);

	/*
	 * Another rate from here on; what the old one still had to say goes to the ledger. NULL: it
	 * has no rate.
	 */
	int (*set_rate)(void *state, double rate_hz, struct ledger *ledger, struct error *err);

	/*
	 * Follows CPUs that came and went, right after a settle. 1: something changed. NULL: it has
	 * nothing for each CPU.
	 */
	int (*follow_cpus)(void *state, struct error *err);

	/* Ends sampling: a settle later all programs have ended. */
	void (*stop)(void *state);
	void (*close)(void *state); /* NULL is fine */
};

extern const struct source cpu_source; /* CPU time, by a timer on each CPU */

/* All sources, in sources/sources.c; ends in NULL. */
extern const struct source *const sources[];

/* The source of an event as the user says it, NULL for the first; NULL and err: there is none. */
const struct source *sources__find(const char *words, struct error *err);

#endif
