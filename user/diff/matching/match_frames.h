/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Maps frames to the subjects of a comparison, and a sample's stack to the subjects that it counts
 * for. A subject is a function, a module or a path; it is the same one in all profiles. Runs may
 * have dictionaries of their own: every frame gets the subject of its normalised name and module,
 * once per dictionary, so that counting uses subjects only.
 *
 *   frame 17 of run 1, f.isra.0 @ libx.so -+
 *                                          +-> subject f @ libx.so -> self unit 4, total unit 9
 *   frame 3 of run 2,  f @ libx.so --------+
 */
#ifndef TOPSTACKS_DIFF_MATCHING_MATCH_FRAMES_H
#define TOPSTACKS_DIFF_MATCHING_MATCH_FRAMES_H

#include "base/common.h"
#include "diff/matching/renames.h"
#include "diff/statistics/comparison.h"
#include "profile/dictionary.h"
#include "profile/frame.h"
#include "profile/pool.h"

/* A function, a module, or the path from a root to a function, with its counts by run. */
struct subject {
	struct pool_item item;
	const char *name; /* NULL: a path */
	const char *module;
	const struct subject *parent;	/* of a path: the path before its end; NULL: a root */
	const struct subject *function; /* of a path: its end */
	const struct rename *rename;	/* the name in base; NULL: the same */
	enum frame_kind kind;
	bool machine;
	size_t self_unit, total_unit; /* SIZE_MAX: none */
	/* The fields of the inner loop, close together in memory. */
	uint64_t stamp; /* last stack that counted it, so that recursion counts once */
	uint64_t *self, *total;
	uint64_t counts[]; /* the memory of self and total */
};

struct subjects {
	struct pool texts; /* their names and modules */
	struct pool all;
	struct subject *key; /* buffer for a new subject; its counts are zero */
	size_t nr_runs;
	uint32_t seed; /* of hash functions */
};

static inline struct subject *subjects__at(const struct subjects *subjects, size_t index)
{
	return (struct subject *)subjects->all.items[index];
}

/* The function or module itself; for a path the function at its end. */
static inline const struct subject *subject__function(const struct subject *subject)
{
	return subject->function ? subject->function : subject;
}

/* The modules with functions without names, whose starts runs may know. */
struct match_starts {
	struct pool names; /* of modules */
	struct start_module *modules;
	size_t capacity;
	size_t nr_looked_at; /* runs */
};

struct matched_frames {
	const struct run *runs;
	size_t nr_runs;
	struct match_options options;
	struct subjects subjects;
	struct match_starts starts;
	const struct renames *renames;
	struct pool aliases; /* function, module and kind, the same in all dictionaries */
	struct subject **of_alias;
	size_t alias_capacity;
	struct matched_dictionary *dictionaries; /* by run */
	struct subject *no_stack, *machine, *interrupts;
	uint64_t stamp;
	bool is_time; /* the counts are samples of time */
};

/* The metric of the counts, as the first run has it; other runs are not checked. */
const struct metric *matched_frames__metric(const struct matched_frames *frames);

/*
 * Counts the samples of all runs by subject. Borrows runs, renames, and all that options point to.
 */
void matched_frames__count(struct matched_frames *frames, const struct run *runs, size_t nr_runs,
			   const struct match_options *options, const struct renames *renames);
/* Zeroed is fine. */
void matched_frames__fini(struct matched_frames *frames);

/* The subjects of one sample's frames, leaf first. */
struct chain {
	struct subject **subjects; /* by frame id */
	bool may_interrupt;	   /* one of all the run's frames is of [interrupts] */
	const uint32_t *frames;
	size_t nr_frames;
};

struct chain chain__of(const struct matched_frames *frames, size_t run,
		       const struct sample *sample);
struct subject *chain__subject(const struct chain *chain, size_t i);

/* The function or module at the sample's leaf; within an interrupt it is [interrupts]. */
struct subject *chain__leaf(const struct chain *chain, const struct matched_frames *frames);

/* The subject in whose self count the sample is. */
struct subject *chain__owner(const struct chain *chain, struct matched_frames *frames);

/*
 * Iterates over the subjects of a stack, each once: its functions, or the paths that it consists
 * of.
 */
struct chain_walk {
	struct matched_frames *frames;
	const struct chain *chain;
	struct subject *path;
	size_t left;
};

struct chain_walk chain_walk__begin(struct matched_frames *frames, const struct chain *chain);

/* NULL: the end. */
struct subject *chain_walk__next(struct chain_walk *walk);

#endif
