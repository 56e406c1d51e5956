/* SPDX-License-Identifier: GPL-2.0-only */
/* Says before a run what the kernel's settings do not allow, and what it costs others. */
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

/* Says on standard error that stacks will be cut before max_depth, if they will. */
void limits__note_depth(unsigned int max_depth);

/* Says on standard error what the first preset among these events does not tell; NULL: there is none. */
void limits__note_preset(const char *events);

/* Says on standard error what this kernel is known to do wrong to a run of these events. */
void limits__note_kernel(const struct events *events, bool user_stacks);

/* Says what a high rate costs others, to a person: on standard error, if that is a terminal. */
void limits__note_slowdown(const struct capture_options *options);

#endif
