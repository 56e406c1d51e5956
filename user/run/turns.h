/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * In which order the samples of a batch get names: a process can make that take long, and then its
 * samples are left until all others have theirs.
 */
#ifndef TOPSTACKS_RUN_TURNS_H
#define TOPSTACKS_RUN_TURNS_H

#include <stddef.h>

struct raw_sample;
struct symbols;

struct turns {
	struct raw_sample *left; /* what they point to is the batch's */
	size_t nr_left, capacity;
};

/* 0: it is this sample's turn; 1: it is left; -ENOMEM. */
int turns__leave(struct turns *turns, struct symbols *symbols, const struct raw_sample *raw);

void turns__fini(struct turns *turns); /* zeroed is fine */

#endif
