/* SPDX-License-Identifier: GPL-2.0-only */
/* The members of a capture session, shared by opening.c and capture.c. */
#ifndef TOPSTACKS_CAPTURE_SESSION_H
#define TOPSTACKS_CAPTURE_SESSION_H

#include <pthread.h>

#include "base/common.h"
#include "capture/host/cpus.h"
#include "capture/host/features.h"
#include "capture/kernel/account.h"
#include "capture/kernel/generations.h"
#include "capture/kernel/grace.h"
#include "capture/kernel/slice_clock.h"
#include "capture/sources/opened_events.h"
#include "capture/tasks/scheduler_time.h"
#include "capture/tasks/targets.h"
#include "profile/recording.h"

struct capture_sink;

struct capture {
	struct topstacks_bpf *skeleton;
	struct generations generations;
	struct account account;
	struct opened_events events;
	struct grace grace; /* for programs that no event's descriptor waits for */
	struct cpus cpus;
	struct sideband *sideband;
	const struct capture_sink *sink; /* of the current call; unwinding gets events first */
	struct unwinding *unwinding;	 /* NULL: user stacks are walked along frame pointers */
	pthread_mutex_t loading;	 /* libbpf loads one object at a time */
	bool asked_to_interpret; /* the program that takes walks over was loaded, or refused */
	struct error not_interpreting;	       /* why it was refused */
	struct kernel_names_bpf *kernel_names; /* opened at the first query */
	bool asked_kernel;
	struct targets targets;
	struct scheduler_time scheduler_time;
	bool has_scheduler_time[ABI_MAX_EVENTS];
	bool everyone; /* all are sampled */
	bool anyone;   /* any process may become a target */
	bool user_stacks;
	struct lost_ability lost_abilities[MOST_LOST_ABILITIES];
	/* the texts behind lost_abilities */
	char why_lost[MOST_LOST_ABILITIES][FEATURE_DETAIL_BYTES];
	const char *no_interpreters; /* as of struct capture_facts */
	/* why interpreter frames are missing */
	char no_tables[FEATURE_DETAIL_BYTES + 32];
	bool has_cycles; /* the CPU has a counter whose samples reach code with interrupts off */
	uint64_t dispatched_ns, drained_ns;
	struct slice_clock slice_clock; /* slices of time, by which samples are told apart */
	uint64_t nr_drains;
	int statistics; /* descriptor that keeps BPF statistics on; -1: off */
};

/* Loads the program that follows interpreters once a file of one was met; opening.c. */
void capture__follow_interpreters(struct capture *capture);

#endif
