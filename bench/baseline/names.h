/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Plain symbolization at the end of a run: kallsyms, /proc/PID/maps, ELF symbol tables. No more
 * than the profilers that the baselines stand for do: no demangling, no processes that are gone.
 */
#ifndef BENCH_NAMES_H
#define BENCH_NAMES_H

#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

struct names;

struct names *names__new(void);
void names__free(struct names *names);

/* Name of the function at an address, or "[unknown]"; borrowed until names__free. */
const char *names__kernel(struct names *names, uint64_t address);
const char *names__user(struct names *names, pid_t pid, uint64_t address);

/* Both stacks are leaf first. */
struct folded_stack {
	const char *comm;
	pid_t pid;
	const uint64_t *user, *kernel;
	size_t nr_user, nr_kernel;
	uint64_t count;
};

/* "comm;main;f;g;sys_read 42" */
void names__print_folded(struct names *names, FILE *out, const struct folded_stack *stack);

#endif
