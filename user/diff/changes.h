/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Changes within one recording: its last part against the time before it. docs/last.md has the
 * rule.
 */
#ifndef TOPSTACKS_DIFF_CHANGES_H
#define TOPSTACKS_DIFF_CHANGES_H

#include "base/common.h"
#include "profile/recording.h"

struct changes_plan {
	double length_s; /* of the last part */
	unsigned int nr_rows;
};

/*
 * Compares the last length_s seconds of a recording with its time before. The recording needs
 * slices. Findings do not affect the exit code. 0, or negative errno with err filled: -ENODATA, the
 * time before is too short.
 */
int changes__write(FILE *out, const struct changes_plan *plan, const struct recording *recording,
		   struct error *err);

#endif
