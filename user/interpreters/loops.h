/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An interpreter's loop is one function. Its name tells where most of it is; what is rarely run the compiler
 * may have moved to another place, which has no name once a file is stripped, but a record in .eh_frame. Jumps
 * give it away: the loop's code jumps to it, and its code jumps back into the loop.
 */
#ifndef TOPSTACKS_INTERPRETERS_LOOPS_H
#define TOPSTACKS_INTERPRETERS_LOOPS_H

#include <stdint.h>

#include "topstacks/interpreter_abi.h"

struct elf_file;
struct named_place;

/* As pcs, the part with the name first. 0; -ENOENT: it is no function that has pcs; -ENOMEM. */
int loops__find(struct elf_file *file, uint64_t base, const struct named_place *function,
		struct interpreter_range loops[INTERPRETER_MAX_LOOPS]);

#endif
