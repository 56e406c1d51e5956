/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files that processes have mapped lately, as events tell: what a process ran that was sampled and
 * has ended since, so that the next one like it has tables from its first sample.
 */
#ifndef TOPSTACKS_CAPTURE_UNWIND_ARRIVALS_H
#define TOPSTACKS_CAPTURE_UNWIND_ARRIVALS_H

#include <stdint.h>

struct mapping;
struct unwind_arrivals;

/* NULL: no memory. */
struct unwind_arrivals *unwind_arrivals__new(void);
/* NULL is fine. */
void unwind_arrivals__free(struct unwind_arrivals *arrivals);

/* An executable mapping was made. Kept for a while, unless its file was handed out before. */
void unwind_arrivals__note(struct unwind_arrivals *arrivals, int32_t pid,
			   const struct mapping *mapping);

/* Hands out what a process had mapped, each file once in a session. */
void unwind_arrivals__each(struct unwind_arrivals *arrivals, int32_t pid,
			   void (*on_mapping)(void *context, const struct mapping *mapping),
			   void *context);

#endif
