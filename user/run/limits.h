/* SPDX-License-Identifier: GPL-2.0-only */
/* What the kernel's settings and the process's limits do not allow, before a run. */
#ifndef TOPSTACKS_RUN_LIMITS_H
#define TOPSTACKS_RUN_LIMITS_H

#include "base/error.h"
#include "capture/capture.h"

/*
 * First of all: a run that has too little memory or too few descriptors would break off in the middle, so it
 * does not begin: -ENOMEM or -EMFILE, with err filled. The soft limit of descriptors becomes the hard one, as
 * CPUs may be many.
 */
int limits__check(struct error *err);

/* Readers answer with files in memory. -EFBIG, with err filled: they could not. */
int limits__check_file_size(struct error *err);

/* A rate of this event at which the kernel would throttle is -EINVAL, with err filled. */
int limits__check_rate(const char *event, double rate_hz, struct error *err);

#define MAX_STACK "kernel.perf_event_max_stack"

/* The value of that setting, in frames; 0: it cannot be read. */
unsigned long limits__max_stack(void);

#endif
