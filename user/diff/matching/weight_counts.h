/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Comparison of runs whose samples weigh differently, as the rate changed. A comparison needs
 * counts, so weights are converted: a count of samples that each weigh as much as those of the
 * function with the heaviest samples. So no result seems surer than it is.
 */
#ifndef TOPSTACKS_DIFF_MATCHING_WEIGHT_COUNTS_H
#define TOPSTACKS_DIFF_MATCHING_WEIGHT_COUNTS_H

#include "profile/recording.h"

/*
 * Converts the shown event, with its slices, if its samples weigh differently and the user did not
 * choose to compare counts. Weights stay; the period becomes that of the counts.
 */
void weight_counts__make(struct recording *recording);

#endif
