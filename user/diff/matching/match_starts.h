/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions without names are matched by the address where they begin. It differs in every build,
 * so all runs must have the same build of the module; and a run that was recorded without starts
 * has nothing to match.
 */
#ifndef TOPSTACKS_DIFF_MATCHING_MATCH_STARTS_H
#define TOPSTACKS_DIFF_MATCHING_MATCH_STARTS_H

#include "base/common.h"
#include "profile/dictionary.h"
#include "profile/pool.h"

/* Zeroed: empty. */
struct match_starts {
	struct pool names; /* of modules */
	struct start_module *modules;
	size_t capacity;
	size_t nr_looked_at;
};

/* Adds the frames of one more run. 0 or -ENOMEM; call fini also after an error. */
int match_starts__look_at(struct match_starts *starts, const struct dictionary *dictionary);
void match_starts__fini(struct match_starts *starts);

/*
 * True if a frame without a name can be matched by its start: all runs with nameless frames in the
 * module have the same build of it, and know starts.
 */
bool match_starts__hold(struct match_starts *starts, const struct frame *frame);

#endif
