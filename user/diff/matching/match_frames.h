/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From frames to the subjects of a comparison, and from a sample's stack to those it counts for. A
 * subject is a function, a module or a path, each once, whatever profile it is from. Runs may have
 * dictionaries of their own: every frame gets the subject of its normalised name and module, once
 * per dictionary, and from then on subjects are counted.
 *
 *   frame 17 of run 1, f.isra.0 @ libx.so -+
 *                                          +-> subject f @ libx.so -> self unit 4, total unit 9
 *   frame 3 of run 2,  f @ libx.so --------+
 */
#ifndef TOPSTACKS_DIFF_MATCHING_MATCH_FRAMES_H
#define TOPSTACKS_DIFF_MATCHING_MATCH_FRAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "diff/matching/match_starts.h"
#include "diff/matching/renames.h"
#include "diff/statistics/comparison.h"
#include "profile/frame.h"
#include "profile/pool.h"

/* A function, a module, or the path that leads from a root to a function; its counts by run. */
struct subject {
	struct pool_item item;
	const char *name; /* NULL: a path */
	const char *module;
	const struct subject *parent;	/* of a path: what leads there; NULL: nothing */
	const struct subject *function; /* and its end */
	const struct rename *rename;	/* what base calls it; NULL: the same */
	enum frame_kind kind;
	bool machine;
	size_t self_unit, total_unit; /* SIZE_MAX: none */
	/* What counting needs, side by side. */
	uint64_t stamp; /* of the last stack that it was seen in, so that recursion counts once */
	uint64_t *self, *total;
	uint64_t counts[]; /* self and total point here */
};

struct subjects {
	struct pool texts; /* their names and modules */
	struct pool all;
	struct subject *key; /* room for one with its counts, which are zero */
	size_t nr_runs;
	uint32_t seed; /* of hashes */
};

static inline struct subject *subjects__at(const struct subjects *subjects, size_t index)
{
	return (struct subject *)subjects->all.items[index];
}

/* The function or module itself, of a path its end. */
static inline const struct subject *subject__function(const struct subject *subject)
{
	return subject->function ? subject->function : subject;
}

struct matched_frames {
	const struct run *runs;
	size_t nr_runs;
	struct match_options options;
	struct subjects subjects;
	struct match_starts starts;
	const struct renames *renames; /* NULL: none */
	struct pool aliases;	       /* function and module as the dictionaries have them */
	struct subject **of_alias;
	size_t alias_capacity;
	struct matched_dictionary *dictionaries; /* by run */
	struct subject *no_stack, *machine, *interrupts;
	uint64_t stamp;
	bool is_time; /* samples are counted, and nothing else */
};

/* Of the first run. What others count is not looked at. */
const struct metric *matched_frames__count(const struct matched_frames *frames);

/* Borrows runs, what options point to, and renames (NULL: none). 0 or -ENOMEM; fini also after an error. */
int matched_frames__init(struct matched_frames *frames, const struct run *runs, size_t nr_runs,
			 const struct match_options *options, const struct renames *renames);
void matched_frames__fini(struct matched_frames *frames);

/* Adds all runs, and counts their samples for subjects. 0 or -ENOMEM. */
int matched_frames__count_runs(struct matched_frames *frames);

/* The subjects of one sample's frames, leaf first. */
struct chain {
	struct subject **subjects; /* by frame id */
	const uint32_t *frames;
	size_t nr_frames;
};

struct chain chain__of(const struct matched_frames *frames, size_t run,
		       const struct sample *sample);
struct subject *chain__subject(const struct chain *chain, size_t i);

/* The function or module for which the sample counts: its leaf, but within interrupts. */
struct subject *chain__leaf(const struct chain *chain, const struct matched_frames *frames);

/* The subject whose self count the sample is in. NULL: out of memory. */
struct subject *chain__owner(const struct chain *chain, struct matched_frames *frames);

/* Each subject of a stack, once: those of its functions, or those of its parts. */
struct chain_walk {
	struct matched_frames *frames;
	const struct chain *chain;
	struct subject *path;
	size_t left;
};

struct chain_walk chain_walk__begin(struct matched_frames *frames, const struct chain *chain);

/* NULL: that was all, or there is no memory, which chain__owner() has found out before. */
struct subject *chain_walk__next(struct chain_walk *walk);

#endif
