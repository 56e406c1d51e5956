/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Process events of all processes, from the kernel's side-band records (mmap2, comm, fork, exit).
 *
 * The kernel writes a record when it makes a mapping, before any sample in it. So records read
 * after a change of generations cover every sample before it. Records of several CPUs are sorted by
 * time.
 */
#ifndef TOPSTACKS_CAPTURE_TASKS_SIDEBAND_H
#define TOPSTACKS_CAPTURE_TASKS_SIDEBAND_H

#include "base/common.h"

struct capture_sink;
struct sideband;

/*
 * everyone: events of all processes; else of processes given to sideband__follow and their
 * children. is_prompt: the descriptor is readable at each event, not only when many wait. Returns 0
 * or negative errno.
 */
int sideband__open(struct sideband **sideband, bool everyone, bool is_prompt, struct error *err);
void sideband__close(struct sideband *sideband);

/* Follows a process. */
void sideband__follow(struct sideband *sideband, int32_t pid);

/*
 * Drops the ring of a CPU that left, which is dead for good, or opens one for a CPU that came;
 * earlier records of the latter may be missing, which counts as one lost record. Returns 0 or
 * negative errno.
 */
int sideband__follow_cpu(struct sideband *sideband, unsigned int cpu, bool is_online);

/*
 * Returns an epoll descriptor, readable when a ring is a quarter full, or at each event if
 * is_prompt.
 */
int sideband__fd(const struct sideband *sideband);

/* Hands over the events up to now, in order, and adds lost records to *nr_lost. */
void sideband__dispatch(struct sideband *sideband, const struct capture_sink *sink,
			uint64_t *nr_lost);

#endif
