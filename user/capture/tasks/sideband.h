/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's side-band records (mmap2, comm, fork, exit) of all processes, as process events.
 *
 * A record is written when a mapping is made, before any sample in it; so what is read after a change
 * of generations covers every sample before it. Records of several CPUs are put in order by their
 * time.
 */
#ifndef TOPSTACKS_CAPTURE_TASKS_SIDEBAND_H
#define TOPSTACKS_CAPTURE_TASKS_SIDEBAND_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct capture_sink;
struct sideband;

/*
 * everyone: events of all processes, else of those given to sideband__follow and their children.
 * is_prompt: the descriptor is readable at each event, not only when many wait.
 */
int sideband__open(struct sideband **sideband, bool everyone, bool is_prompt, struct error *err);
void sideband__close(struct sideband *sideband);

/* 0 or -ENOMEM. */
int sideband__follow(struct sideband *sideband, int32_t pid);

/*
 * The ring of a CPU that left is dead for good: dropped; one that came gets its own, and what it
 * may have said before counts as a record lost. 0 or negative errno.
 */
int sideband__follow_cpu(struct sideband *sideband, unsigned int cpu, bool is_online);

/* An epoll descriptor, readable when a ring is a quarter full. */
int sideband__fd(const struct sideband *sideband);

/* Hands over what happened until now, in order. Adds lost records to *nr_lost. 0 or errno. */
int sideband__dispatch(struct sideband *sideband, const struct capture_sink *sink,
		       uint64_t *nr_lost);

#endif
