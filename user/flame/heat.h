/* SPDX-License-Identifier: GPL-2.0-only */
/* When the values of a tree's stacks were sampled: in columns of time, each of a slice or of several. */
#ifndef TOPSTACKS_FLAME_HEAT_H
#define TOPSTACKS_FLAME_HEAT_H

#include <stdint.h>

#include "flame/flame.h"
#include "profile/recording.h"
#include "profile/tree.h"

/* More would not be told apart on a screen. */
#define MAX_HEAT_COLUMNS 1000

/* What a stack has in a column. */
struct heat_cell {
	uint32_t stack; /* of the tree */
	uint64_t values[VALUES];
};

struct heat_column {
	struct heat_cell *cells; /* in order of stacks */
	size_t nr, capacity;
};

/* Of one event: a column each. */
struct heat_event {
	const struct profile *profile;
	struct heat_column *columns;
};

struct heat {
	size_t nr_columns; /* 0: nothing is told of time */
	uint64_t column_ns;
	const struct recording *recording;
	struct heat_event *events;
	size_t nr_events;
};

/* recording: whose profiles the tree is of, or NULL. 0 or -ENOMEM; fini either way. */
int heat__init(struct heat *heat, const struct tree *tree, const struct recording *recording,
	       enum merge merge);
void heat__fini(struct heat *heat);

#endif
