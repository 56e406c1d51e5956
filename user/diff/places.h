/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What match.c counts for: functions, modules or paths, each once, whatever profile it is from.
 * Places are found by a hash that nobody outside can foresee, and listed by age.
 */
#ifndef TOPSTACKS_DIFF_PLACES_H
#define TOPSTACKS_DIFF_PLACES_H

#include <stddef.h>

#include <libiberty/hashtab.h>

#include "profile/profile.h"

/* A function, a module, or the path that leads from a root to a function; its counts by run. */
struct place {
	const char *name; /* NULL: a path */
	const char *module;
	const struct place *parent;   /* of a path: what leads there; NULL: nothing */
	const struct place *function; /* and its end */
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

/* The place of this name in this module (NULL: none). NULL: out of memory. */
struct place *places__name(struct places *places, const char *name, const char *module,
			   enum frame_kind kind, bool machine);

/* The path that goes on from parent (NULL: a root) to function. NULL: out of memory. */
struct place *places__path(struct places *places, const struct place *parent,
			   const struct place *function);

/* The function or module itself, of a path its end. */
static inline const struct place *place__function(const struct place *place)
{
	return place->function ? place->function : place;
}

#endif
