/* SPDX-License-Identifier: GPL-2.0-only */
/* The CPUs of a session: which of them were asked for, which are online, which had been away. */
#ifndef TOPSTACKS_CAPTURE_HOST_CPUS_H
#define TOPSTACKS_CAPTURE_HOST_CPUS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct cpus {
	const bool *wanted; /* by CPU number, borrowed; NULL: all */
	size_t nr_wanted;
	bool *online;	    /* by CPU number, when it was last looked */
	bool *returned;	    /* since then: what was open there before is dead for good */
	size_t nr_possible; /* entries of both */
};

/* Looks for the first time. -ENODEV: none that is wanted is online. */
int cpus__open(struct cpus *cpus, const bool *wanted, size_t nr_wanted, struct error *err);
/* Zeroed is fine. */
void cpus__close(struct cpus *cpus);

/* Looks again, and forgets which had returned. 1: others are online now; 0 or negative errno. */
int cpus__refresh(struct cpus *cpus, struct error *err);

bool cpus__is_wanted(const struct cpus *cpus, size_t cpu);

/* Of those that are wanted and online: the first from cpu on; nr_possible: there is none. */
size_t cpus__next(const struct cpus *cpus, size_t cpu);
unsigned int cpus__count(const struct cpus *cpus);

/* One that is online: events that are not of a CPU have to name one. */
int cpus__first(const struct cpus *cpus);

#endif
