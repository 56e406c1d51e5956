/* SPDX-License-Identifier: GPL-2.0-only */
/* Which characters differ in their case alone: each of them folds to the first one. */
#ifndef TOPSTACKS_BASE_CASE_FOLD_H
#define TOPSTACKS_BASE_CASE_FOLD_H

#include <stdint.h>

/* Characters that fold to those so far before them; where the distance is 1, only each second one does. */
struct case_run {
	uint32_t first, last, distance;
};

/* The run that a character is in, or the next one; behind all others is one that no character comes to. */
const struct case_run *case_fold__run(uint32_t character);
uint32_t case_fold__first(uint32_t character);

#endif
