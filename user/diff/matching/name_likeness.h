/* SPDX-License-Identifier: GPL-2.0-only */
/* How alike two names are, of which one may be what the other was called before. */
#ifndef TOPSTACKS_DIFF_MATCHING_NAME_LIKENESS_H
#define TOPSTACKS_DIFF_MATCHING_NAME_LIKENESS_H

enum name_likeness {
	NAMES_DIFFER,
	NAMES_SIMILAR, /* they begin and end alike: parse_v1, parse_v2; bench-old, bench-new */
	NAMES_OF_ONE,  /* the last part is the same: before::f(int), after::f(long) */
	NAMES_EQUAL,
};

enum name_likeness name_likeness__of(const char *a, const char *b);

#endif
