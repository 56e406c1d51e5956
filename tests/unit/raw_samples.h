/* SPDX-License-Identifier: GPL-2.0-only */
/* Raw stacks of the test's own image, and a kernel whose names the test gives. */
#ifndef TOPSTACKS_TESTS_RAW_SAMPLES_H
#define TOPSTACKS_TESTS_RAW_SAMPLES_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "capture/capture.h"
#include "processes.h"
#include "symbols/symbols.h"

/* Addresses of the kernel: the index of a name. */
#define KERNEL_BASE 0xffffffff81000000ULL
#define MAX_WORDS   16

static inline const char *name_kernel_address(void *context, uint64_t address)
{
	const char *const *names = context;

	return names[(address - KERNEL_BASE) >> 8];
}

/*
 * Names the kernel address KERNEL_BASE + (n << 8) names[n], as "do_idle+0x8/0x10". names must live
 * as long as the symbols. With readers NULL our own functions have no names.
 */
static inline struct symbols *symbols_with_kernel(const char *const *names, struct readers *readers)
{
	const struct symbols_options options = {.ask_kernel = name_kernel_address,
						.context = (void *)(uintptr_t)names,
						.readers = readers};
	struct symbols *symbols = symbols__new(&options);

	symbols__read_process(symbols, getpid());
	return symbols;
}

static inline struct process own_process(void)
{
	struct process process = {.instance = 7, .pid = getpid(), .comm = "test"};

	process.start_ns = process_start_ns(process.pid);
	process.seen_ns = monotonic_ns();
	return process;
}

/* Leaf first, ended by 0. free() it. */
static inline struct raw_stack *make_stack(uint64_t id, enum stack_end end, const uint64_t *words)
{
	struct raw_stack *stack = calloc(1, sizeof(*stack) + MAX_WORDS * sizeof(*words));

	stack->id = id;
	stack->end = end;
	while (words[stack->nr_frames]) {
		stack->words[stack->nr_frames] = words[stack->nr_frames];
		stack->nr_frames++;
	}
	return stack;
}

#endif
