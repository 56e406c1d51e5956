/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Ids that identify the same row in several intervals: 64 bits made of names, so that they are
 * valid for all dictionaries, but only within this process. If two rows have the same id by chance,
 * they only share a mark or a place.
 */
#ifndef TOPSTACKS_LIVE_ROWS_ROW_IDS_H
#define TOPSTACKS_LIVE_ROWS_ROW_IDS_H

#include "base/common.h"
#include "profile/tree.h"

#define ROW_ID_NONE 0

/* The id of a function or a module: module may be NULL. Never ROW_ID_NONE. */
uint64_t row_id__of(const char *name, const char *module);

/*
 * The ids of the frames of one dictionary, each computed once. Zeroed: empty. All are forgotten
 * when another dictionary is used.
 */
struct row_ids {
	const struct dictionary *dictionary;
	uint64_t *frames, *functions; /* ROW_ID_NONE: not computed yet */
	size_t nr_frames;
};

/* Call it before each pass over samples of this dictionary. */
void row_ids__prepare(struct row_ids *ids, const struct dictionary *dictionary);
void row_ids__clear(struct row_ids *ids);

/* The id of a path from the id of its beginning and its next step. */
uint64_t row_id__join(uint64_t path, uint64_t step);

/* The id of a tree node from its parent's id (ROW_ID_NONE: the root) and its own name. */
uint64_t row_id__of_node(const struct tree *tree, uint64_t parent, uint32_t name);

/*
 * The id of a frame by its name, or by the function that it is a part of ("f.cold" is a part of
 * "f").
 */
uint64_t row_ids__frame(struct row_ids *ids, uint32_t frame);
uint64_t row_ids__function(struct row_ids *ids, uint32_t frame);

/*
 * The id of "comm", "comm-PID" or "comm-PID/TID", as trees and folded stacks name the owner of a
 * sample.
 */
uint64_t row_id__of_owner(const struct dictionary *dictionary, uint32_t process, int32_t tid,
			  enum merge merge);

/* The id of a row in the stacks view: its owner, and its frames from the leaf. */
uint64_t row_ids__stack(struct row_ids *ids, uint64_t owner, uint32_t stack);

#endif
