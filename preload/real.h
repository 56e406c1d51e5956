/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The real functions behind ours: the next ones with these names, of the C library or of an
 * allocator. They are looked up at the first call; the library does nothing when it is loaded.
 */
#ifndef TOPSTACKS_PRELOAD_REAL_H
#define TOPSTACKS_PRELOAD_REAL_H

#include <stddef.h>

struct real_functions {
	void *(*malloc)(size_t size);
	void (*free)(void *block);
	void *(*calloc)(size_t count, size_t size);
	void *(*realloc)(void *block, size_t size);
	void *(*memalign)(size_t alignment, size_t size);
	void *(*aligned_alloc)(size_t alignment, size_t size);
	int (*posix_memalign)(void **block, size_t alignment, size_t size);
	void *(*valloc)(size_t size);
	void *(*pvalloc)(size_t size);
};

/* During the lookup, early.h has memory; functions that the machine lacks fail with ENOMEM. */
extern __attribute__((visibility("hidden"))) struct real_functions real;

#endif
