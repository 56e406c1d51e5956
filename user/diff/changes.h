/* SPDX-License-Identifier: GPL-2.0-only */
/* What changed within one recording: its last part against all before it. docs/last.md has the rule. */
#ifndef TOPSTACKS_DIFF_CHANGES_H
#define TOPSTACKS_DIFF_CHANGES_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "profile/recording.h"

struct changes_plan {
	double length_s; /* of the last part */
	unsigned int nr_rows;
};

/*
 * A recording with slices, whose times say which of them are the last. Findings fail nobody. 0, or negative
 * errno with err filled: -ENODATA, there is too little before it.
 */
int changes__write(FILE *out, const struct changes_plan *plan, const struct recording *recording,
		   struct error *err);

#endif
