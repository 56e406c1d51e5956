/* SPDX-License-Identifier: GPL-2.0-only */
/* An expression and its answer for each name of a dictionary, which is found once. */
#ifndef TOPSTACKS_PROFILE_SELECT_FILTER_H
#define TOPSTACKS_PROFILE_SELECT_FILTER_H

#include <regex.h>
#include <stdbool.h>

#include "base/error.h"
#include "profile/profile.h"

struct filter {
	const struct dictionary *dictionary;
	const char *pattern; /* the caller's */
	regex_t regex;
	unsigned char *matches;	  /* by name; names that came later have no place here */
	unsigned char *functions; /* the same, of the name without the module */
	size_t nr_matches;
};

/*
 * pattern: an extended regular expression, or a name or a part of one as it is shown; the filter uses it to its end. 0, or negative errno with err filled.
 */
int filter__init(struct filter *filter, const struct dictionary *dictionary, const char *pattern,
		 struct error *err);
/* Whether there is such an expression, in the same words. */
int filter__check(const char *pattern, struct error *err);
void filter__fini(struct filter *filter);

/* NULL matches nothing. Only the first 4,096 bytes are looked at. */
bool filter__matches_text(const struct filter *filter, const char *text);

/* The function of a frame has a name that matches, whatever its module is called. */
bool filter__matches_frame(struct filter *filter, uint32_t frame);

/* A frame of it has a name or a module that matches. */
bool filter__matches_stack(struct filter *filter, uint32_t stack);

#endif
