/* SPDX-License-Identifier: GPL-2.0-only */
/* What a file of made code tells, and code that does what it was told. */
#ifndef TOPSTACKS_TESTS_JIT_TOLD_H
#define TOPSTACKS_TESTS_JIT_TOLD_H

#include <stdlib.h>

#include "expect.h"
#include "readers/jit_files.h"
#include "symbols/jit/jit_code.h"

/* Of a reader that does not lie. */
static inline void apply_told(struct jit_code *code, struct jit_told *told)
{
	EXPECT(!told->is_full);
	EXPECT_EQ(jit_code__apply(code, told->bytes, told->nr_bytes), 0);
	free(told->bytes);
}

#endif
