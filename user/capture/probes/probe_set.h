/* SPDX-License-Identifier: GPL-2.0-only */
/* A set of probes that are put into the same processes. */
#ifndef TOPSTACKS_CAPTURE_PROBES_PROBE_SET_H
#define TOPSTACKS_CAPTURE_PROBES_PROBE_SET_H

#include "base/common.h"
#include "capture/probes/probed_processes.h"

struct process_event;

struct set_probe {
	struct probe_request request; /* filled in by the caller before a process is added */
	struct probed_processes processes;
};

/* Zeroed: none. */
struct probe_set {
	struct set_probe *list;
	size_t nr;
};

/* Makes nr probes with zeroed requests. */
void probe_set__init(struct probe_set *set, size_t nr);

/* Calls probed_processes__add() for each probe. */
int probe_set__add(struct probe_set *set, int32_t pid);

/*
 * Reports an event of a process. If follows_children, children of a probed process get the probes,
 * too.
 */
void probe_set__observe(struct probe_set *set, const struct process_event *event,
			bool follows_children);

/* Calls probed_processes__take_late() for each probe and returns the largest values. */
void probe_set__take_late(struct probe_set *set, uint64_t *nr, uint64_t *ns);

/* Removes the probes and waits for that; calling it twice is fine. */
void probe_set__stop(struct probe_set *set);
void probe_set__free(struct probe_set *set);

#endif
