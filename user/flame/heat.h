/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * When the values of a tree's stacks were sampled: by columns of time, each of one slice or
 * several.
 */
#ifndef TOPSTACKS_FLAME_HEAT_H
#define TOPSTACKS_FLAME_HEAT_H

#include "base/common.h"
#include "flame/flame.h"
#include "profile/recording.h"
#include "profile/tree.h"

/* A screen cannot show more. */
#define MAX_HEAT_COLUMNS 1000

/* The values of a stack in a column. */
struct heat_cell {
	uint32_t stack; /* index in the tree */
	uint64_t values[VALUES];
};

struct heat_column {
	struct heat_cell *cells; /* sorted by stack */
	size_t nr, capacity;
};

/* The columns of one event. */
struct heat_event {
	const struct profile *profile;
	struct heat_column *columns;
};

struct heat {
	size_t nr_columns; /* 0: times are not known */
	uint64_t column_ns;
	const struct recording *recording;
	struct heat_event *events;
	size_t nr_events;
};

/* recording: the one that the tree was made from, or NULL. */
void heat__init(struct heat *heat, const struct tree *tree, const struct recording *recording);
void heat__fini(struct heat *heat);

#endif
