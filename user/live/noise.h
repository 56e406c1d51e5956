/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rows of one sample that were never more than noise: there may be a hundred of them in each interval,
 * others each time. They are folded into a last row, which opens.
 */
#ifndef TOPSTACKS_LIVE_NOISE_H
#define TOPSTACKS_LIVE_NOISE_H

#include "live/live.h"

/* Rows are arranged; trees and flames have none of it. 0 or -ENOMEM. */
int noise__fold(struct live *live);

#endif
