/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions and modules that have another name in base than in new. Matching asks here for the new
 * name of a frame, so that a renamed function is one unit.
 */
#ifndef TOPSTACKS_DIFF_MATCHING_RENAMES_H
#define TOPSTACKS_DIFF_MATCHING_RENAMES_H

#include "base/common.h"
#include "profile/pool.h"

struct rename {
	const char *name, *module; /* in base; name NULL: a whole module */
	const char *found_in;	   /* the module in new, if it was renamed as well; or NULL */
	const char *new_name, *new_module; /* in new */
	bool is_sure; /* else base's may be gone and new's a new one: it is not known */
};

/* Zeroed: empty. */
struct renames {
	struct pool texts;
	struct pool keys;     /* indices of list */
	struct rename **list; /* each stays where it is, as frames of a comparison point to it */
	size_t nr, capacity;
};

struct match_options;
struct matched_frames;
struct run;

/*
 * Finds functions and modules that have another name in new than in base, and adds them to renames,
 * which is empty. docs/diff.md has the rule. Fills frames by these names, counted by function,
 * whatever is compared: the new names of modules and paths follow from those of functions.
 */
void find_renames(struct renames *renames, struct matched_frames *frames, const struct run *runs,
		  size_t nr_runs, const struct match_options *options);

/* Copies its strings; modules may be NULL. */
void renames__add(struct renames *renames, const struct rename *rename);

/*
 * Finds the rename of a function of base and its module, by the module's new name; or, with name
 * NULL, of a whole module of base. NULL: it was not renamed.
 */
const struct rename *renames__find(const struct renames *renames, const char *name,
				   const char *module);

void renames__fini(struct renames *renames);

#endif
