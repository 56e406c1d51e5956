/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the code of an interpreter's loop, which is one function. Its symbol has most of it. The
 * compiler may have moved rarely used code to another place, which has no symbol in a stripped
 * file, but a record in .eh_frame. Jumps identify it: the loop jumps there, and it jumps back into
 * the loop.
 */
#ifndef TOPSTACKS_INTERPRETERS_LOOPS_H
#define TOPSTACKS_INTERPRETERS_LOOPS_H

#include "base/common.h"
#include "topstacks/interpreter_abi.h"

struct elf_file;
struct named_place;

/*
 * Returns the parts as pcs, the one with the symbol first. 0; -ENOENT: no function with pcs;
 * -ENOMEM.
 */
int loops__find(struct elf_file *file, uint64_t base, const struct named_place *function,
		struct interpreter_range loops[INTERPRETER_MAX_LOOPS]);

#endif
