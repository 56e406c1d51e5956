/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The BPF program's walk of a user stack (kern/unwind/unwind.bpf.h), run in user space on a stopped
 * process.
 */
#ifndef TOPSTACKS_TESTS_KERNEL_WALK_H
#define TOPSTACKS_TESTS_KERNEL_WALK_H

#include <stddef.h>
#include <sys/types.h>

#include "topstacks/abi.h"
#include "topstacks/unwind_abi.h"

/* The regions and rows that the program looks up. All of it is borrowed. */
struct kernel_maps {
	const struct unwind_region *regions; /* sorted */
	size_t nr_regions;
	struct unwind_row *const *chunks;
	size_t nr_chunks;
};

/*
 * Walks a stack from pc, sp and fp of *from. The result is valid until the next walk; NULL: there
 * is nothing to walk.
 */
const struct spilled_stack *kernel_walk(pid_t pid, const struct kernel_maps *maps,
					const struct unwind_registers *from);

#endif
