/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A run without end whose last minutes can be queried: slices go into a store (serve/store.h), the
 * front end (serve/front.h) speaks HTTP, and a thread (serve/responder.h) answers.
 */
#ifndef TOPSTACKS_ACTIONS_SERVE_H
#define TOPSTACKS_ACTIONS_SERVE_H

#include "base/common.h"
#include "run/session.h"
#include "serve/listeners.h"

struct serve_plan {
	struct session_plan
		session; /* interval_s, run_bytes and the symbol bound are set by the run */
	struct listen_plan listen;
	const char *token_file; /* NULL: a token is made beside the socket */
	double slice_s, keep_s;
	uint64_t max_memory_bytes; /* resident, of all our processes together */

	const char *spool; /* a directory; NULL: no files */
	double spool_s;	   /* length of each file */
	unsigned int nr_spooled;

	struct name_list rules; /* in the syntax of serve/rule.h */
	const char *save_to;	/* directory for recordings that rules save */
	uint64_t save_bytes;	/* limit of that directory */
};

/* Returns the same as session__run(). */
int serve__run(const struct serve_plan *plan, struct error *err);

#endif
