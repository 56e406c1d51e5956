/* SPDX-License-Identifier: GPL-2.0-only */
/* A reader's account of a file of made code is applied to a process's code. */
#ifndef TOPSTACKS_TESTS_JIT_TOLD_H
#define TOPSTACKS_TESTS_JIT_TOLD_H

#include <stdlib.h>

#include "expect.h"
#include "readers/jit_files.h"
#include "symbols/jit/jit_code.h"

/* The account is complete and valid, as that of an honest reader is. */
static inline void apply_told(struct jit_code *code, struct jit_told *told)
{
	EXPECT(!told->is_full);
	EXPECT_EQ(jit_code__apply(code, told->bytes, told->nr_bytes), 0);
	free(told->bytes);
}

#endif
