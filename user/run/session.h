/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A session is one run of sampling from the first interval to the last, for every subcommand that
 * samples. It owns the sampler, the recorder and the command after "--", and knows when an interval
 * or the run is over. What becomes of an interval is the caller's affair.
 */
#ifndef TOPSTACKS_RUN_SESSION_H
#define TOPSTACKS_RUN_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "capture/capture.h"
#include "profile/recording.h"
#include "run/target.h"
#include "symbols/symbols.h"

struct late;
struct lines;
struct session_request;
struct spawner;

/* What is sampled, how, and for how long. */
struct session_plan {
	struct target target;
	struct capture_options capture; /* scope and ids are those of the target */
	struct symbols_options symbols;
	struct lines *lines; /* whose readers are part of the cost; NULL: there are none */
	double max_overhead; /* percent of one CPU; 0: no bound */
	double least_hz;     /* no such bound lowers the rate beyond it; 0: 1 Hz */
	unsigned int
		nr_spared; /* windows of two seconds at the start that are not held against it */
	double interval_s; /* 0: the run is one interval */
	double duration_s; /* 0: until it is ended */
	double tick_s;	   /* how often on_tick is called; 0: never */
	bool java_names;   /* JVMs are told to write the map of their code */
	struct spawner *attachers; /* who do so (processes/attacher.h); NULL: nobody */
	const char *memory_option; /* that bounds symbols; NULL: --symbol-memory */
	size_t run_bytes;	   /* most memory for the sum of all intervals; 0: 32 MB */
	bool keeps_all;		   /* all stacks, as long as memory allows, not only the hottest */
	bool has_display;	   /* it has the terminal: nothing may be said while it lasts */
	bool is_quiet;		   /* nothing is said but what failed */
};

/* Why a session is over. */
enum session_end {
	SESSION_TIME,	   /* as planned */
	SESSION_INTERRUPT, /* a signal, or whoever was asked */
	SESSION_GONE,	   /* the target has ended */
};

/* What a command does at each point; all but on_interval may be NULL. 0 or negative errno. */
struct session_steps {
	void *context;

	/* The target is open, nothing is sampled yet. has_command: it has the terminal. */
	int (*on_open)(void *context, bool has_command, struct error *err);

	/* The output of an interval is still under way: the next one is longer then. */
	bool (*is_busy)(void *context);

	/* left_ns: of the run; UINT64_MAX: nobody knows. */
	void (*on_tick)(void *context, uint64_t elapsed_ns, uint64_t left_ns);

	/* A descriptor that is readable when on_request has something to ask; not with a command.
	 */
	int (*request_fd)(void *context);
	void (*on_request)(void *context, struct session_request *request);

	/*
	 * Names were told of samples that were handed out before: to be put into what is kept of
	 * them (late__rename_saved). Before the interval in which it was.
	 */
	int (*on_late)(void *context, struct late *late, struct error *err);

	/* The profile is borrowed for the call. is_last: nothing follows but the sum. */
	int (*on_interval)(void *context, const struct recording *interval, bool is_last,
			   struct error *err);

	/* The sum of all intervals; not called after a single one, which was its own. */
	int (*on_sum)(void *context, const struct recording *run, struct error *err);

	/* The last interval is handed out. It may take its time. */
	void (*on_end)(void *context, enum session_end end);

	/* Sampling is over, well or not: code is what it ended with. Returns what to end with. */
	int (*on_close)(void *context, int code, struct error *err);
};

/*
 * Opens the target, samples, and ends as planned, by a signal, or with the target. Once in a
 * process, whose rights are given up when sampling begins (rights__settle). Returns an exit
 * code (the command's, if there is one) or a negative errno with err filled.
 */
int session__run(const struct session_plan *plan, const struct session_steps *steps,
		 struct error *err);

#endif
