/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of a match share: match.c owns it and counts, match_frames.c finds the places of
 * frames, match_units.c makes units of places, match_callers.c asks who calls whom.
 */
#ifndef TOPSTACKS_DIFF_MATCH_INTERNAL_H
#define TOPSTACKS_DIFF_MATCH_INTERNAL_H

#include "diff/match.h"
#include "diff/places.h"

struct dictionary_map {
	const struct dictionary *dictionary;
	struct place **places; /* by frame */
};

struct match {
	const struct run *runs;
	size_t nr_runs;
	struct match_options options;
	struct places places;
	htab_t aliases;
	struct dictionary_map *maps; /* by run; those of one dictionary share places */
	struct place *no_stack, *machine, *interrupts;
	uint64_t stamp;

	struct comparison comparison;
	struct unit *units;
	struct place **owners;	 /* by unit */
	uint64_t *slices[SIDES]; /* by unit and interval */
	enum side *sides;
	double *divisors;
	double *incomplete;
};

/* The places of one sample's frames, leaf first. */
struct chain {
	struct place **places; /* by frame id */
	const uint32_t *frames;
	size_t nr_frames;
};

struct chain chain__of(const struct match *match, size_t run, const struct sample *sample);
struct place *chain__place(const struct chain *chain, size_t i);

/* The function or module for which the sample counts: its leaf, but within interrupts. */
struct place *chain__leaf(const struct match *match, const struct chain *chain);

/* The place whose self count the sample is in. NULL: out of memory. */
struct place *chain__owner(struct match *match, const struct chain *chain);

/* match_frames.c; free also after an error. 0 or -ENOMEM. */
int match__init_maps(struct match *match);
void match__free_maps(struct match *match);

/* Gives each frame of a run's dictionary its place. 0 or -ENOMEM. */
int match__map_frames(struct match *match, size_t run);

/* match_units.c: of all places that have counts. 0 or -ENOMEM. */
int match__make_units(struct match *match);
/* And, with one run a side, what each slice of it has of them. */
int match__make_slices(struct match *match);

#endif
