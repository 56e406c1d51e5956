/* SPDX-License-Identifier: GPL-2.0-only */
/* The BPF object: its settings, loading, and the programs that are attached at the start. */
#ifndef TOPSTACKS_CAPTURE_KERNEL_KERNEL_H
#define TOPSTACKS_CAPTURE_KERNEL_KERNEL_H

#include "base/common.h"

struct capture_options;
struct events;
struct set;
struct set_shape;
struct source;
struct bpf_program;
struct kernel_names_bpf;
struct topstacks_bpf;

/*
 * Opens and loads the object with the options' settings, and only with the programs that the
 * options and events need. like: its maps are the templates of inner maps. shape: how user stacks
 * are walked. On failure NULL, with err filled; *wants_smaller is then true if the verifier refused
 * a sampling program, so that a shape with less demands may succeed.
 */
struct topstacks_bpf *kernel__load(const struct capture_options *options,
				   const struct events *events, const struct set_shape *shape,
				   const struct set *like, bool *wants_smaller, struct error *err);

/*
 * Loads the program to which the source's sampling program hands over walks that reach an
 * interpreter's code (kern/sample/sample.bpf.h), and lets it do so. Only for a shape that hands
 * over. Returns 0 or negative errno, with err filled.
 */
int kernel__interpret(struct topstacks_bpf *skeleton, const struct source *source,
		      struct error *err);

/* Returns the loaded program that samples for the source. */
struct bpf_program *kernel__sampler(const struct topstacks_bpf *skeleton,
				    const struct source *source);

/*
 * Returns the number of home places: the places of a set that each CPU uses first, one for each
 * context (abi.h) in which programs of these events run on the online CPUs. first[context]: filled
 * with the home of the first CPU in each enum program_context; first may be NULL. On machines with
 * gaps in the CPU numbers, CPUs with high numbers share homes.
 */
uint32_t homes__count(const struct events *events, uint32_t *first);

/*
 * Attaches the programs that follow processes: from here on children become targets. Returns 0 or
 * negative errno.
 */
int kernel__follow(struct topstacks_bpf *skeleton, const struct capture_options *options,
		   struct error *err);

/* Sums runs of the sampling programs and their time in ns, while BPF statistics are on. */
void kernel__program_time(const struct topstacks_bpf *skeleton, const struct events *events,
			  uint64_t *nr_runs, uint64_t *run_ns);

/* Returns the approximate kernel memory of the maps that follow targets. */
size_t kernel__targets_bytes(void);

/*
 * Returns the locked memory of all maps of the object, in bytes, from fdinfo. The caller has raised
 * RIGHTS_TO_LOOK.
 */
size_t kernel__map_bytes(const struct topstacks_bpf *skeleton);
/* Returns the locked memory of one map. */
size_t kernel__memlock_of(int map);

/*
 * Returns the bits of a return address that belong to the address. On machines that sign pointers
 * (aarch64, ARMv8.3) the other bits may be a signature. Their position depends on the size of
 * address spaces, and the kernel only tells it to debuggers (NT_ARM_PAC_MASK,
 * Documentation/arch/arm64/pointer-authentication.rst), so the function debugs a child that it
 * forks, once a run. Where debugging is forbidden, addresses are taken to have 48 bits.
 */
uint64_t address_mask__read(void);

/*
 * Loads the program that names kernel addresses (kernel_names.c). NULL and errno: the kernel cannot
 * (before 5.14).
 */
struct kernel_names_bpf *kernel_names__open(void);
void kernel_names__close(struct kernel_names_bpf *names);

/*
 * Returns the kernel's name for the address: "name+0x1f/0x5a0 [module]", or the address in hex.
 * Valid until the next call; NULL: no answer.
 */
const char *kernel_names__ask(struct kernel_names_bpf *names, uint64_t address);

/* libbpf, the library that loads the BPF programs. */
/* Returns the version at run time, "1.1", which may be newer than the one at build time. */
const char *loader__version(void);

#endif
