/* SPDX-License-Identifier: GPL-2.0-only */
/* How long an answer may be, and what its shares are of. */
#ifndef TOPSTACKS_VIEWS_ANSWER_OPTIONS_H
#define TOPSTACKS_VIEWS_ANSWER_OPTIONS_H

#include <stddef.h>
#include <stdint.h>

#include "profile/profile.h"

#define LEAST_ANSWER_BYTES 500 /* the verdict on the samples always fits */

struct answer_options {
	size_t budget; /* bytes at most */
	size_t nr_rows;
	double percent_limit;
	enum merge merge;
	uint64_t whole;	  /* 100 % */
	const char *file; /* to be named in commands; NULL: there are several, or it has no name */
	/* Options in commands, each with a blank before it, that choose the same samples; --focus. */
	const char *selection, *focus;
};

#endif
