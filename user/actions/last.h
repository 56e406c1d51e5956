/* SPDX-License-Identifier: GPL-2.0-only */
/* The past, from a running "topstacks serve": shown as a report, saved, or compared with what was before. */
#ifndef TOPSTACKS_ACTIONS_LAST_H
#define TOPSTACKS_ACTIONS_LAST_H

#include <stdbool.h>

#include "actions/report.h"
#include "base/error.h"

#define LAST_DEFAULT_S	    30
#define LAST_DIFF_DEFAULT_S 60

/* What is NULL or 0 is not asked for. */
struct last_plan {
	const char *time; /* "30s": how long, as somebody says it */
	const char *at;	  /* when it begins; NULL: so long ago */
	const char *socket, *token_file;

	/* What the server is asked for; it knows what its patterns mean. */
	const char *event, *comm, *container, *cgroup;
	unsigned int pid;

	struct report report; /* without paths. format is NULL: text, or as it came */
	bool diff;
};

/* 0, or negative errno with err filled. */
int last__show(const struct last_plan *plan, struct error *err);

#endif
