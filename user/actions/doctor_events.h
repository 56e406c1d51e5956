/* SPDX-License-Identifier: GPL-2.0-only */
/* The report of doctor -e: what would be attached for some events, and whether that works here. */
#ifndef TOPSTACKS_ACTIONS_DOCTOR_EVENTS_H
#define TOPSTACKS_ACTIONS_DOCTOR_EVENTS_H

#include "base/common.h"
#include "base/options/options.h"

struct event_question {
	const char *events; /* written as for -e */
	double rate_hz;	    /* for events that have a rate */
	struct pid_list
		pids; /* processes in which to look for probes; empty: no process in particular */
};

/*
 * Prints the report. EXIT_DONE: all events work; EXIT_SYSTEM: some do not; or negative errno with
 * err filled: the events are not valid.
 */
int doctor_events__report(FILE *out, const struct event_question *question, bool json,
			  struct error *err);

/* The part of doctor that starts sampling as a run does, so that its verdict on runs is tested. */
struct capture_options;
struct helpers;

/* The result of trial runs: code 0, or the error that they would end with. */
struct doctor_attempt {
	struct error system; /* of a run over all processes */
	struct error target; /* of a run with us as target; not tried if the other one failed */
};

/* Begins both trial runs with CPU time, and ends them at once. */
void doctor_attempt__run(struct doctor_attempt *attempt);

#endif
