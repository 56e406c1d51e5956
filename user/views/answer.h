/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A report that is an answer: how good the samples are, what they found and how sure that is, who calls
 * what, and what to do next; as Markdown, for people and for programs that read little.
 */
#ifndef TOPSTACKS_VIEWS_ANSWER_H
#define TOPSTACKS_VIEWS_ANSWER_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "profile/recording.h"

#define LEAST_ANSWER_BYTES 500 /* the verdict on the samples always fits */

struct answer_options {
	size_t budget; /* bytes at most */
	size_t nr_rows;
	double percent_limit;
	enum merge merge;
	uint64_t whole;	  /* 100 % */
	const char *file; /* to be named in commands; NULL: there are several, or it has no name */
};

/* Of a recording whose quality is measured. 0 or negative errno. */
int view__write_answer(FILE *out, const struct recording *recording,
		       const struct answer_options *options);

#endif
