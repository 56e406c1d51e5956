/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A report as an answer in Markdown, for people and for programs with little room: the quality of
 * the samples, the findings with their certainty, callers, and advice on what to do next.
 */
#ifndef TOPSTACKS_VIEWS_ANSWER_H
#define TOPSTACKS_VIEWS_ANSWER_H

#include "base/common.h"
#include "profile/recording.h"
#include "views/answer_options.h"

/* The recording's quality must be measured. 0 or negative errno. */
int view__write_answer(FILE *out, const struct recording *recording,
		       const struct answer_options *options);

#endif
