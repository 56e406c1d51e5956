/* SPDX-License-Identifier: GPL-2.0-only */
/* The BPF object: settings, what is loaded of it, its attached programs. */
#ifndef TOPSTACKS_CAPTURE_KERNEL_KERNEL_H
#define TOPSTACKS_CAPTURE_KERNEL_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct capture_options;
struct events;
struct set;
struct set_shape;
struct source;
struct bpf_program;
struct kernel_names_bpf;
struct topstacks_bpf;

/*
 * Opens and loads the object with the options' settings and only the programs that they and the
 * events need; like shapes the inner maps; shape says how user stacks are walked. NULL, with *err filled, on
 * failure; *wants_smaller then says that the verifier refused a program that samples, so that a shape which
 * asks less of it may be loaded.
 */
struct topstacks_bpf *kernel__load(const struct capture_options *options,
				   const struct events *events, const struct set_shape *shape,
				   const struct set *like, bool *wants_smaller, struct error *err);

/* The program that samples: the one of the source's that was loaded. */
struct bpf_program *kernel__sampler(const struct topstacks_bpf *skeleton,
				    const struct source *source);

/* Attaches the programs that follow processes: children join the targets from here on. */
int kernel__follow(struct topstacks_bpf *skeleton, const struct capture_options *options,
		   struct error *err);

/* Runs of the sampling programs and their time in ns, while BPF statistics are on. */
void kernel__program_time(const struct topstacks_bpf *skeleton, const struct events *events,
			  uint64_t *nr_runs, uint64_t *run_ns);

/* Kernel memory of what follows targets, about. */
size_t kernel__targets_bytes(void);

/* memlock of all maps of the object, in bytes, as fdinfo has it. RIGHTS_TO_LOOK are raised. */
size_t kernel__map_bytes(const struct topstacks_bpf *skeleton);
/* The same of one map. */
size_t kernel__memlock_of(int map);

/* Loads the program that asks for names (kernel_names.c). NULL: none can be had (before 5.14). */
struct kernel_names_bpf *kernel_names__open(void);
void kernel_names__close(struct kernel_names_bpf *names);

/*
 * What the kernel calls the address: "name+0x1f/0x5a0 [module]", or the address in hex. Valid until
 * the next question; NULL if there is no answer.
 */
const char *kernel_names__ask(struct kernel_names_bpf *names, uint64_t address);

/* The library that loads the BPF programs. */
/* The version of the one that runs, which may be newer than the one that we were built with: "1.1". */
const char *loader__version(void);

#endif
