/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A dictionary interns strings, frames, stacks and processes; several profiles (an interval, the
 * whole run) share one, so merging them is adding numbers. Ids are dense and start at 0; they mean
 * something in their dictionary only.
 */
#ifndef TOPSTACKS_PROFILE_DICTIONARY_H
#define TOPSTACKS_PROFILE_DICTIONARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "processes/process.h"
#include "profile/frame.h"
#include "profile/pool.h"

struct dictionary;

/* NULL: out of memory. Profiles hold a reference each; free drops the caller's. */
struct dictionary *dictionary__new(void);
void dictionary__free(struct dictionary *dictionary);

/* Interning copies what it is given. Returns an id, or ID_NONE when out of memory. */
uint32_t dictionary__add_string(struct dictionary *dictionary, const char *string);
uint32_t dictionary__add_frame(struct dictionary *dictionary, const struct frame *frame);
/* Frame ids leaf first; nr_frames may be 0. */
uint32_t dictionary__add_stack(struct dictionary *dictionary, const uint32_t *frames,
			       size_t nr_frames);
/* Equal if pid, start_ns, exec_id, owner and comm are; seen_ns is not kept, comm is terminated. */
uint32_t dictionary__add_process(struct dictionary *dictionary, const struct process *process);

/*
 * The same for a frame or process whose strings are the dictionary's own already: one that is long
 * and has many users is not read again for each of them.
 */
uint32_t dictionary__add_kept_frame(struct dictionary *dictionary, const struct frame *frame);
uint32_t dictionary__add_kept_process(struct dictionary *dictionary, const struct process *process);

/* Borrowed: valid as long as the dictionary, whatever is added to it later. */
const char *dictionary__string(const struct dictionary *dictionary, uint32_t string);
const struct frame *dictionary__frame(const struct dictionary *dictionary, uint32_t frame);
/* What frame__name() says, whole; never NULL. */
const char *dictionary__frame_name(const struct dictionary *dictionary, uint32_t frame);
const uint32_t *dictionary__stack(const struct dictionary *dictionary, uint32_t stack,
				  size_t *nr_frames);
const struct process *dictionary__process(const struct dictionary *dictionary, uint32_t process);
/* The id of a string of the dictionary, and how many there are. */
uint32_t dictionary__string_id(const char *string);
size_t dictionary__nr_strings(const struct dictionary *dictionary);
size_t dictionary__nr_frames(const struct dictionary *dictionary);
size_t dictionary__nr_stacks(const struct dictionary *dictionary);
size_t dictionary__nr_processes(const struct dictionary *dictionary);
size_t dictionary__memory_bytes(const struct dictionary *dictionary);

/* The interned copy; NULL for NULL, and *failed is set when out of memory. */
const char *dictionary__keep(struct dictionary *dictionary, const char *string, bool *failed);

#endif
