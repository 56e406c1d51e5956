/* SPDX-License-Identifier: GPL-2.0-only */
/* How sure a share is that was counted. */
#ifndef TOPSTACKS_PROFILE_SHARE_ERROR_H
#define TOPSTACKS_PROFILE_SHARE_ERROR_H

#include <stdint.h>

/* From where to where the true share lies in 95 of 100 cases, as fractions of 1. */
struct share_error {
	double low, high;
};

/* Of so many events out of all (Wilson's interval); from 0 to 1 where there are none at all. */
struct share_error share_error__of(uint64_t count, uint64_t total);

#endif
