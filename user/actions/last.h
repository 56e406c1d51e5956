/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The past from a running "topstacks serve": shown as a report, saved, or compared with the time
 * before.
 */
#ifndef TOPSTACKS_ACTIONS_LAST_H
#define TOPSTACKS_ACTIONS_LAST_H

#include "actions/report.h"
#include "base/common.h"

#define LAST_DEFAULT_S	    30
#define LAST_DIFF_DEFAULT_S 60

/* The options of topstacks last. NULL or 0: not given. */
struct last_plan {
	const char *time; /* length in words: "30s" */
	const char *at;	  /* when it begins; NULL: it ends now */
	const char *socket, *token_file;

	/* The choice that the server makes; it interprets the patterns. */
	const char *event, *comm, *container, *cgroup;
	unsigned int pid;

	struct report report; /* without paths. format NULL: text, or the server's bytes */
	bool diff;
};

/* Gets the recording and shows it. 0, or negative errno with err filled. */
int last__show(const struct last_plan *plan, struct error *err);

#endif
