/* SPDX-License-Identifier: GPL-2.0-only */
/* How much the samples of one run come in bursts, from the run cut in time. */
#ifndef TOPSTACKS_DIFF_BURSTS_H
#define TOPSTACKS_DIFF_BURSTS_H

#include "diff/finding.h"

/*
 * Sets *phi: the factor by which counts vary more than independent samples would. Returns 1, or 0
 * if there are too few samples or slices to tell (*phi is untouched), or -ENOMEM.
 */
int bursts__estimate(const struct comparison *comparison, double *phi);

#endif
