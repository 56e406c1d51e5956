/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What makes a row of one interval the row of another: 64 bits made of names, so that they outlive
 * every dictionary. Two rows of one identity by chance would only share a mark or a place.
 */
#ifndef TOPSTACKS_LIVE_ROW_IDS_H
#define TOPSTACKS_LIVE_ROW_IDS_H

#include <stdint.h>

#include "profile/profile.h"

#define IDENTITY_NONE 0

/* Of a function or a module: module may be NULL. Never IDENTITY_NONE. */
uint64_t identity__of(const char *name, const char *module);

/*
 * Identities of the frames of one dictionary, each found once. Zeroed: of none. All of it is
 * forgotten when another dictionary is asked about.
 */
struct identities {
	const struct dictionary *dictionary;
	uint64_t *frames, *functions; /* IDENTITY_NONE: not found yet */
	size_t nr_frames;
};

/* 0 or -ENOMEM; asked before each pass over samples of this dictionary. */
int identities__prepare(struct identities *identities, const struct dictionary *dictionary);
void identities__clear(struct identities *identities);

/* Of a path: what came before, and the next step. */
uint64_t identity__join(uint64_t path, uint64_t step);

/* By its name; and by the function that it is a part of ("f.cold" is a part of "f"). */
uint64_t identities__frame(struct identities *identities, uint32_t frame);
uint64_t identities__function(struct identities *identities, uint32_t frame);

/* "comm", "comm-PID" or "comm-PID/TID", as trees and folded stacks call a sample's owner. */
uint64_t identity__of_owner(const struct dictionary *dictionary, uint32_t process, int32_t tid,
			    enum merge merge);

/* Of a row of stacks: its owner, and its frames from the leaf. */
uint64_t identities__stack(struct identities *identities, uint64_t owner, uint32_t stack);

#endif
