/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The data of a flame graph's page: names and stacks as bytes, before compression. data.js reads
 * them. Page and data are always from the same build, so the layout may change freely.
 */
#ifndef TOPSTACKS_FLAME_DATA_H
#define TOPSTACKS_FLAME_DATA_H

#include "base/common.h"
#include "flame/columns.h"
#include "flame/flame.h"
#include "flame/heat.h"
#include "flame/overlay.h"
#include "flame/parts.h"
#include "profile/tree.h"

struct flame_data {
	const struct tree *tree; /* from the root, or the overlay's */
	const struct overlay *overlay;
	const struct columns *columns;	/* by stacks of the tree; NULL: its own values are shown */
	const struct wait_parts *parts; /* these two for the tree, or empty */
	const struct heat *heat;
	const struct flame_options *options;
};

/* Errors are those of the stream. */
void flame_data__write(FILE *out, const struct flame_data *data);

#endif
