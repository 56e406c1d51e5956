/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A run without end whose last minutes can be asked for: slices go into a store (serve/store.h), the
 * front end (serve/front.h) speaks HTTP, and a thread (serve/responder.h) answers it.
 */
#ifndef TOPSTACKS_ACTIONS_SERVE_H
#define TOPSTACKS_ACTIONS_SERVE_H

#include "base/error.h"
#include "run/session.h"
#include "serve/listeners.h"

struct serving_plan {
	struct session_plan
		session; /* its interval_s, run_bytes and bound on symbols are seen to */
	struct listen_plan listen;
	const char *token_file; /* NULL: one is made beside the socket */
	double slice_s, keep_s;
	uint64_t max_memory_bytes; /* resident, of all our processes */

	const char *spool; /* a directory, NULL: nothing is written */
	double spool_s;	   /* a file each time */
	unsigned int nr_spooled;

	struct name_list rules; /* as serve/rule.h has them */
	const char *save_to;	/* the directory for what they want to be kept */
	uint64_t save_bytes;	/* most that it grows to */
};

/* Returns as session__run. */
int serving__run(const struct serving_plan *plan, struct error *err);

#endif
