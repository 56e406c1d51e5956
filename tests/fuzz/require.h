/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Requires conditions that must hold for any input, and copies inputs, so that answers are aligned
 * and have no bytes behind them.
 */
#ifndef TOPSTACKS_TESTS_FUZZ_REQUIRE_H
#define TOPSTACKS_TESTS_FUZZ_REQUIRE_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void require(int condition)
{
	if (!condition)
		abort();
}

/* Returns a copy. The caller must free() it. */
static inline void *copy_of(const uint8_t *data, size_t size)
{
	void *copy = malloc(size ? size : 1);

	require(copy != NULL);
	if (size)
		memcpy(copy, data, size);
	return copy;
}

#endif
