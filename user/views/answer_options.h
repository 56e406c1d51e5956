/* SPDX-License-Identifier: GPL-2.0-only */
/* The size of an answer, and the denominator of its shares. */
#ifndef TOPSTACKS_VIEWS_ANSWER_OPTIONS_H
#define TOPSTACKS_VIEWS_ANSWER_OPTIONS_H

#include "base/common.h"
#include "profile/profile.h"

#define LEAST_ANSWER_BYTES 500 /* the verdict on the samples always fits */

struct answer_options {
	size_t budget; /* most bytes */
	size_t nr_rows;
	double percent_limit;
	enum merge merge;
	uint64_t whole;	  /* 100 % */
	const char *file; /* for commands; NULL: several files, or no name */
	/*
	 * Options for commands, each after a blank: those that choose the same samples; and
	 * --focus.
	 */
	const char *selection, *focus;
};

#endif
