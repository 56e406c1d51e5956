/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A shell pattern for the name of a process, prepared for matching without backtracking: user space
 * takes the pattern apart, the kernel compares names with it at each exec. Pure, so that a unit
 * test compares it with fnmatch(3).
 *
 * The pattern is a row of elements. A set of bits says which elements may come next: bit n is the
 * n-th element; bit nr_elements is the end.
 */
#ifndef TOPSTACKS_COMM_PATTERN_H
#define TOPSTACKS_COMM_PATTERN_H

#include <linux/types.h>

#define COMM_PATTERN_ELEMENTS 31

struct comm_pattern {
	__u32 accepts
		[256]; /* by character: the elements for a single character that accept this one */
	__u32 stars;   /* the elements that match any number of characters; never two in a row */
	__u32 nr_elements;
};

/* comm: 16 bytes, NUL-terminated. Returns 1 if the pattern matches. */
static inline __attribute__((always_inline)) int
comm_pattern__matches(const struct comm_pattern *pattern, const char *comm)
{
	__u32 next = 1, i;

	next |= (next & pattern->stars) << 1;
	for (i = 0; i < 15; i++) {
		const __u8 character = (__u8)comm[i];

		if (!character)
			break;
		next = (next & pattern->accepts[character]) << 1 | (next & pattern->stars);
		next |= (next & pattern->stars) << 1;
	}
	return next >> (pattern->nr_elements & 31) & 1;
}

#endif
