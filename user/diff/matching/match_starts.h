/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions without names that are matched by where they begin. That is another place in every
 * build, so it takes runs of one build of a module; and runs that were recorded without starts have
 * nothing that it could be matched with.
 */
#ifndef TOPSTACKS_DIFF_MATCHING_MATCH_STARTS_H
#define TOPSTACKS_DIFF_MATCHING_MATCH_STARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "profile/dictionary.h"
#include "profile/pool.h"

/* Zeroed at first. */
struct match_starts {
	struct pool names; /* of modules */
	struct start_module *modules;
	size_t capacity;
	size_t nr_looked_at;
};

/* Looks at the frames of one run more. 0 or -ENOMEM; fini also after an error. */
int match_starts__look_at(struct match_starts *starts, const struct dictionary *dictionary);
void match_starts__fini(struct match_starts *starts);

/*
 * The frame has no name, but the start of its function, and so has somebody in each run of those
 * that have no names in its module, which is of one build in all of them.
 */
bool match_starts__hold(struct match_starts *starts, const struct frame *frame);

#endif
