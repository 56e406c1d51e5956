/* SPDX-License-Identifier: GPL-2.0-only */
/* Probes that belong together: each is in the same processes. */
#ifndef TOPSTACKS_CAPTURE_PROBES_PROBE_SET_H
#define TOPSTACKS_CAPTURE_PROBES_PROBE_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/probes/probed_processes.h"

struct process_event;

struct set_probe {
	struct probe_request request; /* for its user to fill in before a process is added */
	struct probed_processes processes;
};

/* Zeroed: none. */
struct probe_set {
	struct set_probe *list;
	size_t nr;
};

/* So many, whose requests are zero. 0 or -ENOMEM. */
int probe_set__init(struct probe_set *set, size_t nr);

/* As probed_processes__add(), all of them. */
int probe_set__add(struct probe_set *set, int32_t pid);

/* What happens to processes; children of those that have the probes get them, too, if they are followed. */
void probe_set__observe(struct probe_set *set, const struct process_event *event,
			bool follows_children);

/* As probed_processes__take_late(), of the one that was latest. */
void probe_set__take_late(struct probe_set *set, uint64_t *nr, uint64_t *ns);

/* Takes them out, and waits for that; twice is fine. */
void probe_set__stop(struct probe_set *set);
void probe_set__free(struct probe_set *set);

#endif
