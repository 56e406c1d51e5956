/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A session is one run of sampling from the first interval to the last, for every subcommand that
 * samples. It owns the sampler, the recorder and the command after "--", and knows when an interval
 * or the run is over. The caller decides what to do with each interval.
 */
#ifndef TOPSTACKS_RUN_SESSION_H
#define TOPSTACKS_RUN_SESSION_H

#include "base/common.h"
#include "capture/capture.h"
#include "profile/recording.h"
#include "run/target.h"
#include "symbols/symbols.h"

struct helpers;
struct late;
struct lines;
struct session_request;

/* The plan of a session: its target, how to sample it, and for how long. */
struct session_plan {
	struct target target;

	/* Borrowed. Openers and readers of capture and symbols are set to these by the session. */
	const struct helpers *helpers;

	struct capture_options capture; /* scope and ids are those of the target */
	struct symbols_options symbols;
	struct lines *lines; /* their readers count as our cost; NULL: there are none */
	double max_overhead; /* our cost in percent of one CPU; 0: no bound */
	double least_hz;     /* max_overhead never lowers the rate beyond it; 0: 1 Hz */
	unsigned int
		nr_spared; /* windows of 2 seconds at the start which max_overhead does not judge */
	double interval_s; /* 0: the run is one interval */
	double duration_s; /* 0: until a signal or the target's end */
	double tick_s;	   /* period of on_tick; 0: never called */
	bool java_names;   /* ask JVMs to write the map of their code: needs attachers */
	const char *memory_option; /* the option that bounds symbol memory; NULL: --symbol-memory */
	size_t run_bytes;	   /* memory limit of the sum of all intervals; 0: 32 MB */
	bool keeps_all;		   /* keep all stacks while memory allows, not only the hottest */
	bool has_display;	   /* a view has the terminal: no notices while it runs */
	bool is_quiet;		   /* print failures only */
};

/* Why a session is over. */
enum session_end {
	SESSION_TIME,	   /* as planned */
	SESSION_INTERRUPT, /* a signal, or a request of on_request */
	SESSION_GONE,	   /* the target has ended */
};

/*
 * Callbacks of a subcommand at each point of a session; all but on_interval may be NULL. They
 * return 0 or negative errno.
 */
struct session_steps {
	void *context;

	/*
	 * Called when the target is open and sampling has not begun. has_command: the command has
	 * the terminal.
	 */
	int (*on_open)(void *context, bool has_command, struct error *err);

	/*
	 * Whether the output of an interval is still being written: the next interval is longer
	 * then.
	 */
	bool (*is_busy)(void *context);

	/* Called every tick_s. left_ns: time left of the run; UINT64_MAX: not known. */
	void (*on_tick)(void *context, uint64_t elapsed_ns, uint64_t left_ns);

	/*
	 * request_fd returns a descriptor that is readable when on_request has a request. Neither
	 * of the two is called if there is a command.
	 */
	int (*request_fd)(void *context);
	void (*on_request)(void *context, struct session_request *request);

	/*
	 * Called, before the interval in which they came, when names came late for samples already
	 * handed out: rename them in stored recordings (late__rename_saved).
	 */
	int (*on_late)(void *context, struct late *late, struct error *err);

	/*
	 * Called with each interval. The profile is borrowed for the call. is_last: only the sum
	 * follows.
	 */
	int (*on_interval)(void *context, const struct recording *interval, bool is_last,
			   struct error *err);

	/*
	 * Called with the sum of all intervals; not after a single interval, which is its own sum.
	 */
	int (*on_sum)(void *context, const struct recording *run, struct error *err);

	/* Called after the last interval is handed out. This callback may take long. */
	void (*on_end)(void *context, enum session_end end);

	/*
	 * Called when sampling has ended. code: the session's result so far. Returns the final
	 * result.
	 */
	int (*on_close)(void *context, int code, struct error *err);
};

/*
 * Opens the target, samples, and ends as planned, by a signal, or with the target. Call it once in
 * a process: it gives up rights when sampling begins (rights__settle). Returns an exit code (the
 * command's, if there is one) or a negative errno with err filled.
 */
int session__run(const struct session_plan *plan, const struct session_steps *steps,
		 struct error *err);

#endif
