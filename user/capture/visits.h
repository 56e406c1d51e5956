/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The drain where the kernel refuses iterators over the elements of a map: see kern/visits.bpf.c. Programs of
 * type syscall visit the elements and send records through a ring.
 */
#ifndef TOPSTACKS_CAPTURE_VISITS_H
#define TOPSTACKS_CAPTURE_VISITS_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/sets.h"

struct bpf_program;
struct kernel_types;
struct topstacks_bpf;
struct visits;

/*
 * Chooses, before the programs are loaded, between iterators and visits. Asks the kernel by loading a
 * smallest iterator. Only programs that are to be loaded so far are chosen from.
 */
void visits__choose(struct topstacks_bpf *skeleton, const struct kernel_types *types);

/* Whether visits were chosen. */
bool visits__are_used(const struct topstacks_bpf *skeleton);

/* The visits of a generation's maps, or NULL and errno. The programs are borrowed. */
struct visits *visits__new(const struct topstacks_bpf *skeleton, uint32_t generation);
void visits__free(struct visits *visits);

/*
 * Visits each element of one of the set's maps. take gets each record, aligned for 64-bit words, and ends the
 * visit by returning a negative errno. Returns 0 or negative errno. RIGHTS_TO_SAMPLE are to be in effect.
 */
int visits__run(struct visits *visits, enum set_map map,
		int (*take)(void *context, const void *record), void *context);

/* Visits the elements of a map for what the program does, not for records. 0 or negative errno. */
int visits__pass(const struct bpf_program *program);

#endif
