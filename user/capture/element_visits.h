/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The drain where the kernel refuses iterators over the elements of a map: see kern/element_visits.bpf.c. Programs of
 * type syscall visit the elements and send records through a ring.
 */
#ifndef TOPSTACKS_CAPTURE_ELEMENT_VISITS_H
#define TOPSTACKS_CAPTURE_ELEMENT_VISITS_H

#include <stdbool.h>
#include <stdint.h>

struct bpf_program;
struct kernel_types;
struct topstacks_bpf;
struct element_visits;

/*
 * Chooses, before the programs are loaded, between iterators and visits. Asks the kernel by loading a
 * smallest iterator. Only programs that are to be loaded so far are chosen from.
 */
void element_visits__choose(struct topstacks_bpf *skeleton, const struct kernel_types *types);

/* Whether visits were chosen. */
bool element_visits__are_used(const struct topstacks_bpf *skeleton);

/* The visits of a generation's maps, or NULL and errno. */
struct element_visits *element_visits__new(const struct topstacks_bpf *skeleton,
					   uint32_t generation);
void element_visits__free(struct element_visits *visits);

/*
 * Runs a program that visits each element of one of the generation's maps. take gets each record, aligned for 64-bit
 * words, and ends the visit by returning a negative errno. Returns 0 or negative errno. RIGHTS_TO_SAMPLE are to be in
 * effect.
 */
int element_visits__run(struct element_visits *visits, const struct bpf_program *program,
			int (*take)(void *context, const void *record), void *context);

/* Visits the elements of a map for what the program does, not for records. 0 or negative errno. */
int element_visits__pass(const struct bpf_program *program);

#endif
