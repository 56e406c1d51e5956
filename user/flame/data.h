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

/*
 * tree: from the root, or the overlay's. columns: by the stacks of the tree; NULL: the tree's own
 * values are shown. parts, heat: for the tree, or empty. The caller frees *bytes. 0 or -ENOMEM.
 */
int flame_data__encode(const struct tree *tree, const struct overlay *overlay,
		       const struct columns *columns, const struct wait_parts *parts,
		       const struct heat *heat, const struct flame_options *options, char **bytes,
		       size_t *nr_bytes);

#endif
