/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Comparing runs whose samples weigh differently, as the rate changed. What is compared are counts of samples that
 * tell as much of what was spent: as many as would be, if each weighed as much as those of the function whose samples
 * are heaviest. So nothing seems to be surer than it is.
 */
#ifndef TOPSTACKS_DIFF_MATCHING_WEIGHT_COUNTS_H
#define TOPSTACKS_DIFF_MATCHING_WEIGHT_COUNTS_H

#include "profile/recording.h"

/*
 * Makes them of the shown event, in its slices, too, where its samples weigh differently, unless the user chose to
 * compare counts; weights stay, and the period is that of these counts. 0 or -ENOMEM.
 */
int weight_counts__make(struct recording *recording);

#endif
