/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A dictionary interns strings, frames, stacks and processes; several profiles (an interval, the
 * whole run) share one, so merging them is adding numbers. Ids are dense and start at 0; an id is
 * valid in its own dictionary only.
 */
#ifndef TOPSTACKS_PROFILE_DICTIONARY_H
#define TOPSTACKS_PROFILE_DICTIONARY_H

#include "base/common.h"
#include "processes/process.h"
#include "profile/frame.h"
#include "profile/pool.h"

struct dictionary;

/* Profiles hold a reference each; free drops the caller's. */
struct dictionary *dictionary__new(void);
void dictionary__free(struct dictionary *dictionary);

/* Interning copies its argument. Returns an id. */
uint32_t dictionary__add_string(struct dictionary *dictionary, const char *string);
uint32_t dictionary__add_frame(struct dictionary *dictionary, const struct frame *frame);
/* Frame ids leaf first; nr_frames may be 0. */
uint32_t dictionary__add_stack(struct dictionary *dictionary, const uint32_t *frames,
			       size_t nr_frames);
/*
 * Processes are equal if pid, start_ns, exec_id, owner, uid and comm are. seen_ns is not kept; comm
 * is terminated.
 */
uint32_t dictionary__add_process(struct dictionary *dictionary, const struct process *process);

/*
 * The same for a frame or process whose strings the dictionary owns already, so that a long string
 * with many users is not hashed again for each of them.
 */
uint32_t dictionary__add_kept_frame(struct dictionary *dictionary, const struct frame *frame);
uint32_t dictionary__add_kept_process(struct dictionary *dictionary, const struct process *process);

/* Borrowed: valid as long as the dictionary, even if something is added later. */
const char *dictionary__string(const struct dictionary *dictionary, uint32_t string);
const struct frame *dictionary__frame(const struct dictionary *dictionary, uint32_t frame);
/* The text of frame__name(), untruncated; never NULL. */
const char *dictionary__frame_name(const struct dictionary *dictionary, uint32_t frame);
const uint32_t *dictionary__stack(const struct dictionary *dictionary, uint32_t stack,
				  size_t *nr_frames);
const struct process *dictionary__process(const struct dictionary *dictionary, uint32_t process);
/* The id of a string that the dictionary owns. */
uint32_t dictionary__string_id(const char *string);
size_t dictionary__nr_strings(const struct dictionary *dictionary);
size_t dictionary__nr_frames(const struct dictionary *dictionary);
size_t dictionary__nr_stacks(const struct dictionary *dictionary);
size_t dictionary__nr_processes(const struct dictionary *dictionary);
size_t dictionary__memory_bytes(const struct dictionary *dictionary);

/* Returns the interned copy of a string; NULL for NULL. */
const char *dictionary__keep(struct dictionary *dictionary, const char *string);

#endif
