/* SPDX-License-Identifier: GPL-2.0-only */
/* The part of doctor that does what a run does at its start, so that what it says of runs is so. */
#ifndef TOPSTACKS_ACTIONS_DOCTOR_ATTEMPT_H
#define TOPSTACKS_ACTIONS_DOCTOR_ATTEMPT_H

#include "base/error.h"

struct capture_options;
struct helpers;

/*
 * Loads the programs for an event, makes the maps, and takes all away again, with the defaults of a run. asked: event,
 * scope, ids and rate. 0, or negative errno with the sentence that a run would end with.
 */
int doctor_attempt__load(const struct capture_options *asked, const struct helpers *helpers,
			 struct error *err);

/* What becomes of runs here: code 0, or the sentence that they would end with. */
struct doctor_attempt {
	struct error system; /* of a run over all processes */
	struct error target; /* of one with a target: us; not made where there is none over all */
};

/* Begins both with CPU time, and ends them at once. */
void doctor_attempt__run(struct doctor_attempt *attempt);

#endif
