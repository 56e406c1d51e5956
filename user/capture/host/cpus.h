/* SPDX-License-Identifier: GPL-2.0-only */
/* The CPUs of a session: wanted, online, or returned after they were offline. */
#ifndef TOPSTACKS_CAPTURE_HOST_CPUS_H
#define TOPSTACKS_CAPTURE_HOST_CPUS_H

#include "base/common.h"

struct cpus {
	const bool *wanted; /* by CPU number, borrowed; NULL: all */
	size_t nr_wanted;
	bool *online; /* by CPU number, as of the last refresh */
	/* back online since then: events opened there before are dead for good */
	bool *returned;
	size_t nr_possible; /* entries of online and returned */
};

/*
 * Reads the online CPUs for the first time. Returns 0 or negative errno; -ENODEV: no wanted CPU is
 * online.
 */
int cpus__open(struct cpus *cpus, const bool *wanted, size_t nr_wanted, struct error *err);
/* Zeroed is fine. */
void cpus__close(struct cpus *cpus);

/*
 * Reads the online CPUs again and clears returned. Returns 1 if the set changed, else 0 or negative
 * errno.
 */
int cpus__refresh(struct cpus *cpus, struct error *err);

bool cpus__is_wanted(const struct cpus *cpus, size_t cpu);

/* Returns the first CPU from cpu on that is wanted and online; nr_possible: there is none. */
size_t cpus__next(const struct cpus *cpus, size_t cpu);
unsigned int cpus__count(const struct cpus *cpus);

/* Returns an online CPU, for events that are not tied to one but have to name one. */
int cpus__first(const struct cpus *cpus);

/* Lists of CPUs as the kernel writes them. */
/*
 * Sets cpus[i] for each i in a list such as "0-3,6
 * ", and clears all others. CPUs from nr on are ignored.
 */
void cpu_list__parse(const char *text, bool *cpus, size_t nr);

#endif
