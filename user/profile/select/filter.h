/* SPDX-License-Identifier: GPL-2.0-only */
/* A regular expression, with a cache of its answer for each name of a dictionary. */
#ifndef TOPSTACKS_PROFILE_SELECT_FILTER_H
#define TOPSTACKS_PROFILE_SELECT_FILTER_H

#include <regex.h>

#include "base/common.h"
#include "profile/profile.h"

struct filter {
	const struct dictionary *dictionary;
	const char *pattern; /* borrowed */
	regex_t regex;
	unsigned char *matches;	  /* by name; names added later are not cached */
	unsigned char *functions; /* the same, without looking at the module */
	size_t nr_matches;
};

/*
 * pattern: an extended regular expression, or a part of a name as outputs show it. It must live as
 * long as the filter. 0, or -EINVAL with err filled.
 */
int filter__init(struct filter *filter, const struct dictionary *dictionary, const char *pattern,
		 struct error *err);
/* Checks the syntax of a pattern, with the error of filter__init(). */
int filter__check(const char *pattern, struct error *err);
void filter__fini(struct filter *filter);

/* NULL matches nothing. Only the first 4,096 bytes are searched. */
bool filter__matches_text(const struct filter *filter, const char *text);

/* True if the name of the frame's function matches; the module is not searched. */
bool filter__matches_frame(struct filter *filter, uint32_t frame);

/* True if the name or the module of a frame of the stack matches. */
bool filter__matches_stack(struct filter *filter, uint32_t stack);

#endif
