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

/* The part of doctor that does what a run does at its start, so that what it says of runs is so. */
struct capture_options;
struct helpers;

/* What becomes of runs here: code 0, or the sentence that they would end with. */
struct doctor_attempt {
	struct error system; /* of a run over all processes */
	struct error target; /* of one with a target: us; not made where there is none over all */
};

/* Begins both with CPU time, and ends them at once. */
void doctor_attempt__run(struct doctor_attempt *attempt);

#endif
