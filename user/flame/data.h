/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the page of a flame graph carries: names and stacks as bytes, before compression. The reader
 * is data.js; page and data are always of one build, so the layout may change freely.
 */
#ifndef TOPSTACKS_FLAME_DATA_H
#define TOPSTACKS_FLAME_DATA_H

#include <stddef.h>

#include "flame/columns.h"
#include "flame/flame.h"
#include "flame/heat.h"
#include "flame/overlay.h"
#include "flame/parts.h"
#include "profile/tree.h"

/*
 * The tree must be from the root, or the overlay's. columns: of this tree, or NULL: its own values are
 * shown. parts, heat: of the tree, or none. *bytes is the caller's to free(). 0 or -ENOMEM.
 */
int flame_data__encode(const struct tree *tree, const struct overlay *overlay,
		       const struct columns *columns, const struct wait_parts *parts,
		       const struct heat *heat, const struct flame_options *options, char **bytes,
		       size_t *nr_bytes);

#endif
