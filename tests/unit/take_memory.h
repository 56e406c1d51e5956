/* SPDX-License-Identifier: GPL-2.0-only */
/* A reader that takes more memory than any may have. */
#ifndef TOPSTACKS_TESTS_TAKE_MEMORY_H
#define TOPSTACKS_TESTS_TAKE_MEMORY_H

#include <errno.h>
#include <stdlib.h>

/*
 * Returns -ENOMEM if malloc() fails; 0: it got a gigabyte. The loop touches one page of each piece,
 * as touching all of them takes longer than a second where page faults are dear.
 */
static inline int take_memory(void)
{
	const size_t mib = 1 << 20;

	for (size_t i = 0; i < 1024; i++) {
		volatile char *bytes = malloc(mib);

		if (!bytes)
			return -ENOMEM;
		*bytes = 1;
	}
	return 0;
}

#endif
