// SPDX-License-Identifier: GPL-2.0-only
/*
 * libtopstacks-alloc.so: the functions that allocate and free memory, which replace the program's
 * when preloaded. They call the next functions of these names, and report samples.
 */
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "early.h"
#include "probes.h"
#include "real.h"
#include "samples.h"
#include "state.h"

#define EXPORT		__attribute__((visibility("default")))
#define UNLIKELY(value) __builtin_expect(value, 0)

/*
 * Accounts for a block. A few failed allocations count too: small ones, when there was no memory at
 * all.
 */
static inline void *counted(void *block, size_t size)
{
	if (UNLIKELY(!gaps__pass(&thread_state.gaps, size)))
		samples__look_at(block, size);
	return block;
}

/* Accounts for a block unless the C library's function has called another of ours, which did. */
static inline void *counted_once(void *block, size_t size, struct gaps before)
{
	return gaps__is_as(&thread_state.gaps, before) ? counted(block, size) : block;
}

/* Reports the free of a block that may be marked. False: it must not be freed. */
static __attribute__((noinline)) bool tell_free(void *block)
{
	size_t size;

	if (early__has(block, &size))
		return false;
	if (marks__remove(&marks, block))
		topstacks_free_fired(block, samples__nr_told());
	return true;
}

static void *move_early(const void *block, size_t old_size, size_t size)
{
	void *const moved = malloc(size);

	if (moved)
		memcpy(moved, block, old_size < size ? old_size : size);
	return moved;
}

/*
 * Resizes a block that may be marked. Without memory it stays, and stays marked. Otherwise its free
 * is reported when other threads may have got and reported its address already; so the free carries
 * the number of blocks reported before. Resizing to nothing frees.
 */
static __attribute__((noinline)) void *resize_marked(void *block, size_t size)
{
	uint64_t nr_told;
	size_t early_size;
	void *resized;

	if (early__has(block, &early_size))
		return move_early(block, early_size, size);
	if (!marks__remove(&marks, block))
		return real.realloc(block, size);
	nr_told = samples__nr_told();
	resized = real.realloc(block, size);
	if (resized || !size)
		topstacks_free_fired(block, nr_told);
	else
		marks__add(&marks, block);
	return resized;
}

EXPORT void *malloc(size_t size)
{
	return counted(real.malloc(size), size);
}

EXPORT void free(void *block)
{
	if (UNLIKELY(marks__may_have(&marks, block)) && !tell_free(block))
		return;
	real.free(block);
}

/* Called by old programs. */
EXPORT void cfree(void *block);
void cfree(void *block)
{
	free(block);
}

EXPORT void *calloc(size_t count, size_t size)
{
	const struct gaps before = thread_state.gaps;
	void *const block = real.calloc(count, size);

	return counted_once(block, count * size, before); /* no overflow, as there is a block */
}

EXPORT void *realloc(void *block, size_t size)
{
	const struct gaps before = thread_state.gaps;

	if (UNLIKELY(marks__may_have(&marks, block)))
		return counted_once(resize_marked(block, size), size, before);
	return counted_once(real.realloc(block, size), size, before);
}

EXPORT void *reallocarray(void *block, size_t count, size_t size)
{
	if (__builtin_mul_overflow(count, size, &size)) {
		errno = ENOMEM;
		return NULL;
	}
	return realloc(block, size);
}

EXPORT int posix_memalign(void **block, size_t alignment, size_t size)
{
	const struct gaps before = thread_state.gaps;
	const int code = real.posix_memalign(block, alignment, size);

	if (!code)
		counted_once(*block, size, before);
	return code;
}

EXPORT void *aligned_alloc(size_t alignment, size_t size)
{
	const struct gaps before = thread_state.gaps;

	return counted_once(real.aligned_alloc(alignment, size), size, before);
}

EXPORT void *memalign(size_t alignment, size_t size)
{
	const struct gaps before = thread_state.gaps;

	return counted_once(real.memalign(alignment, size), size, before);
}

EXPORT void *valloc(size_t size)
{
	const struct gaps before = thread_state.gaps;

	return counted_once(real.valloc(size), size, before);
}

EXPORT void *pvalloc(size_t size)
{
	const struct gaps before = thread_state.gaps;

	return counted_once(real.pvalloc(size), size, before);
}
