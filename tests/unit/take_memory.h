/* SPDX-License-Identifier: GPL-2.0-only */
/* A reader that takes more memory than any may have. */
#ifndef TOPSTACKS_TESTS_TAKE_MEMORY_H
#define TOPSTACKS_TESTS_TAKE_MEMORY_H

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* -ENOMEM, if it is told; 0: it got a gigabyte. */
static inline int take_memory(void)
{
	const size_t mib = 1 << 20;

	for (size_t i = 0; i < 1024; i++) {
		char *bytes = malloc(mib);

		if (!bytes)
			return -ENOMEM;
		memset(bytes, 1, mib);
	}
	return 0;
}

#endif
