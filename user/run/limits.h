/* SPDX-License-Identifier: GPL-2.0-only */
/* Checks, before a run, what the kernel's settings and the process's limits allow. */
#ifndef TOPSTACKS_RUN_LIMITS_H
#define TOPSTACKS_RUN_LIMITS_H

#include "base/common.h"
#include "capture/capture.h"

/*
 * Call first: with too little memory or too few descriptors a run would break off in the middle, so
 * it does not begin. Then returns -ENOMEM or -EMFILE with err filled. Raises the soft limit of
 * descriptors to the hard one, as there may be many CPUs.
 */
int limits__check(struct error *err);

/*
 * Checks that the limit of file size lets readers answer with files in memory. 0, or -EFBIG with
 * err filled.
 */
int limits__check_file_size(struct error *err);

/* Returns -EINVAL with err filled if the kernel would throttle this event at this rate. */
int limits__check_rate(const char *event, double rate_hz, struct error *err);

#define MAX_STACK "kernel.perf_event_max_stack"

/* The value of MAX_STACK, in frames; 0: it cannot be read. */
unsigned long limits__max_stack(void);

#endif
