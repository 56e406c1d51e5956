/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A report that is an answer: how good the samples are, what they found and how sure that is, who calls
 * what, and what to do next; as Markdown, for people and for programs that read little.
 */
#ifndef TOPSTACKS_VIEWS_ANSWER_H
#define TOPSTACKS_VIEWS_ANSWER_H

#include <stdio.h>

#include "profile/recording.h"
#include "views/answer_options.h"

/* Of a recording whose quality is measured. 0 or negative errno. */
int view__write_answer(FILE *out, const struct recording *recording,
		       const struct answer_options *options);

#endif
