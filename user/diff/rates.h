/* SPDX-License-Identifier: GPL-2.0-only */
/* What the samples of a run are counted against: all of them, its time, or the work that it did. */
#ifndef TOPSTACKS_DIFF_RATES_H
#define TOPSTACKS_DIFF_RATES_H

#include <stddef.h>

#include "base/error.h"
#include "diff/comparison.h"

struct run_files;

enum per {
	PER_SHARE,
	PER_SECOND,
	PER_WORK,
};

struct rates {
	unsigned int per;   /* enum per */
	double work[SIDES]; /* of each run; 0: not said */
};

/* Whether files that are read, and what was said, suffice. 0, or -EINVAL and EXIT_USAGE. */
int rates__check(const struct rates *rates, const struct run_files *files, struct error *err);

/*
 * What the samples of a file are divided by: seconds or pieces of work, by the seconds that a
 * sample stands for if all files say it. 0: they are shares.
 */
double rates__divisor(const struct rates *rates, const struct run_files *files, size_t index);

#endif
