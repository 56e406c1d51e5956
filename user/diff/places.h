/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What match.c counts for: functions, modules or stacks, each once, whatever profile it is from.
 * Places are found by a hash that nobody outside can foresee, and listed by age.
 */
#ifndef TOPSTACKS_DIFF_PLACES_H
#define TOPSTACKS_DIFF_PLACES_H

#include <stddef.h>

#include <libiberty/hashtab.h>

#include "topstacks/diff.h"

/* A function, a module or a stack, with its counts by run. */
struct place {
	const char *name; /* NULL: a stack */
	const char *module;
	struct place **frames; /* of a stack, leaf first */
	size_t nr_frames;
	hashval_t hash;
	enum frame_kind kind;
	bool machine;
	bool interrupt; /* what is below it in a stack is the machine's */
	uint64_t *self, *total;
	uint64_t stamp; /* of the last stack that it was seen in, so that recursion counts once */
	size_t self_unit, total_unit; /* SIZE_MAX: none */
};

struct places {
	htab_t table;
	hashval_t seed;
	size_t nr_runs;
	struct place **list;
	size_t nr, room;
};

/* 0 or -ENOMEM; fini also after an error. */
int places__init(struct places *places, size_t nr_runs);
void places__fini(struct places *places);

/* The place of this name in this module (NULL: none), or of this stack. NULL: out of memory. */
struct place *places__name(struct places *places, const char *name, const char *module,
			   enum frame_kind kind, bool machine);
struct place *places__stack(struct places *places, struct place **frames, size_t nr_frames);

#endif
