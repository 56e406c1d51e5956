/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What base calls otherwise than new: functions, and modules with all that is in them. Who matches
 * frames asks it for the names of new, so that what was renamed is one unit.
 */
#ifndef TOPSTACKS_DIFF_MATCHING_RENAMES_H
#define TOPSTACKS_DIFF_MATCHING_RENAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "profile/pool.h"

struct rename {
	const char *name, *module; /* in base; no name: it is a module */
	const char *found_in; /* what new calls that module, if that was renamed, too; or NULL */
	const char *new_name, *new_module; /* in new */
	bool is_sure; /* else one may be gone and the other new: nothing tells them apart */
};

/* A zeroed one is empty. */
struct renames {
	struct pool texts;
	struct pool keys; /* numbers of list */
	struct rename *list;
	size_t nr, capacity;
};

/* Copies its strings; modules may be NULL. 0 or -ENOMEM. */
int renames__add(struct renames *renames, const struct rename *rename);

/*
 * That of a name of base and its module as new calls it, or (name NULL) of a module of base as a whole. NULL: it is called
 * so in new, too.
 */
const struct rename *renames__find(const struct renames *renames, const char *name,
				   const char *module);

void renames__fini(struct renames *renames);

#endif
