/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reports what this kernel offers, what we may do with it, and what would help: as a table for
 * people, or as JSON. Needs no rights, and changes only what the options ask for.
 */
#ifndef TOPSTACKS_ACTIONS_DOCTOR_H
#define TOPSTACKS_ACTIONS_DOCTOR_H

#include "actions/doctor_events.h"
#include "base/common.h"

struct doctor_options {
	bool json;
	struct event_question question; /* report on these events alone; no events: report on the
					 * kernel */
	double bpf_stats_s; /* have the kernel measure BPF programs for this long; 0: no */
};

/*
 * Prints the report. EXIT_DONE: topstacks can run here; EXIT_SYSTEM: it cannot; or negative errno
 * with err filled.
 */
int doctor__report(FILE *out, const struct doctor_options *options, struct error *err);

#endif
