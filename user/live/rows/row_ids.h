/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What makes a row of one interval the row of another: 64 bits made of names, so that they outlive
 * every dictionary, but not the process. Two rows that have one id by chance would only share a mark
 * or a place.
 */
#ifndef TOPSTACKS_LIVE_ROWS_ROW_IDS_H
#define TOPSTACKS_LIVE_ROWS_ROW_IDS_H

#include <stdint.h>

#include "profile/tree.h"

#define ROW_ID_NONE 0

/* Of a function or a module: module may be NULL. Never ROW_ID_NONE. */
uint64_t row_id__of(const char *name, const char *module);

/*
 * Identities of the frames of one dictionary, each found once. Zeroed: of none. All of it is
 * forgotten when another dictionary is asked about.
 */
struct row_ids {
	const struct dictionary *dictionary;
	uint64_t *frames, *functions; /* ROW_ID_NONE: not found yet */
	size_t nr_frames;
};

/* 0 or -ENOMEM; asked before each pass over samples of this dictionary. */
int row_ids__prepare(struct row_ids *ids, const struct dictionary *dictionary);
void row_ids__clear(struct row_ids *ids);

/* Of a path: what came before, and the next step. */
uint64_t row_id__join(uint64_t path, uint64_t step);

/* Of a node of a tree: the id of its parent (ROW_ID_NONE: the root), and its own name. */
uint64_t row_id__of_node(const struct tree *tree, uint64_t parent, uint32_t name);

/* By its name; and by the function that it is a part of ("f.cold" is a part of "f"). */
uint64_t row_ids__frame(struct row_ids *ids, uint32_t frame);
uint64_t row_ids__function(struct row_ids *ids, uint32_t frame);

/* "comm", "comm-PID" or "comm-PID/TID", as trees and folded stacks call a sample's owner. */
uint64_t row_id__of_owner(const struct dictionary *dictionary, uint32_t process, int32_t tid,
			  enum merge merge);

/* Of a row of stacks: its owner, and its frames from the leaf. */
uint64_t row_ids__stack(struct row_ids *ids, uint64_t owner, uint32_t stack);

#endif
