/* SPDX-License-Identifier: GPL-2.0-only */
/* The likeness of two names: is one perhaps the former name of the other? */
#ifndef TOPSTACKS_DIFF_MATCHING_NAME_LIKENESS_H
#define TOPSTACKS_DIFF_MATCHING_NAME_LIKENESS_H

enum name_likeness {
	NAMES_DIFFER,
	/* common beginning and end together are most of the longer name: parse_v1, parse_v2 */
	NAMES_SIMILAR,
	NAMES_OF_ONE, /* the last part is the same: before::f(int), after::f(long) */
	NAMES_EQUAL,
};

enum name_likeness name_likeness__of(const char *a, const char *b);

#endif
