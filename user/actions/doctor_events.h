/* SPDX-License-Identifier: GPL-2.0-only */
/* The report of doctor -e: what would be attached for some events, and whether it can be. */
#ifndef TOPSTACKS_ACTIONS_DOCTOR_EVENTS_H
#define TOPSTACKS_ACTIONS_DOCTOR_EVENTS_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "base/options/options.h"

struct event_question {
	const char *events; /* as -e has them */
	double rate_hz;	    /* of those that have a rate */
	struct pid_list
		pids; /* in which probes are looked for; none: in no process in particular */
};

/* EXIT_DONE: all can be had; EXIT_SYSTEM; or negative errno with err filled: they are said wrong. */
int doctor_events__report(FILE *out, const struct event_question *question, bool json,
			  struct error *err);

#endif
