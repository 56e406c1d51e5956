/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What this kernel offers, what we may do with it, and what would help: a table for people, or
 * JSON. Needs no rights, and changes nothing but what it is asked for.
 */
#ifndef TOPSTACKS_ACTIONS_DOCTOR_H
#define TOPSTACKS_ACTIONS_DOCTOR_H

#include <stdbool.h>
#include <stdio.h>

#include "actions/doctor_events.h"
#include "base/error.h"

struct doctor_options {
	bool json;
	struct event_question question; /* of these alone; no events: what this kernel offers */
	double bpf_stats_s; /* for so long the kernel measures BPF programs; 0: not at all */
};

/* EXIT_DONE: we can run here; EXIT_SYSTEM: we cannot; or negative errno with err filled. */
int doctor__report(FILE *out, const struct doctor_options *options, struct error *err);

#endif
