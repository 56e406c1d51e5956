/* SPDX-License-Identifier: GPL-2.0-only */
/* Case folding: characters that differ only in case fold to the first of them. */
#ifndef TOPSTACKS_BASE_CASE_FOLD_H
#define TOPSTACKS_BASE_CASE_FOLD_H

#include "base/common.h"

/*
 * A range of characters, each of which folds to the one `distance` before it. If distance is 1,
 * only every second character folds.
 */
struct case_run {
	uint32_t first, last, distance;
};

/*
 * Returns the run that holds the character, or the next run; the last run lies above all
 * characters.
 */
const struct case_run *case_fold__run(uint32_t character);

/* Returns the character that this one folds to. */
uint32_t case_fold__first(uint32_t character);

#endif
