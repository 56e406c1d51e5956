/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The inside of a dictionary, for the files of this directory and for code that compares by name.
 *
 * Beside what callers add, a dictionary numbers names: a name is the text of a frame and its
 * module, and a named stack is a stack of names. Each is interned once, names when a frame is added
 * and named stacks when a caller asks for one, so that ranking by name only compares numbers.
 */
#ifndef TOPSTACKS_PROFILE_INTERNED_H
#define TOPSTACKS_PROFILE_INTERNED_H

#include "profile/frame.h"
#include "profile/pool.h"

struct dictionary {
	unsigned int references;
	uint32_t seed; /* of all hashes: keys come from files and other processes */
	struct pool strings, frames, names, stacks, named_stacks, processes;
	uint32_t *named; /* the named stack of each stack, filled on demand */
	size_t nr_named, named_capacity;
};

/* Strings are interned: two names are equal if both pointers are. */
struct name {
	struct pool_item item;
	const char *text;
	const char *module;   /* or NULL */
	enum frame_kind kind; /* of the first frame of this name */
	uint32_t function;    /* name id without the suffixes of compilers; ID_NONE: this name */
};

/* The name of the function that a frame is a part of: "f" for "f.cold". */
uint32_t dictionary__frame_function_id(const struct dictionary *dictionary, uint32_t frame);

uint32_t dictionary__frame_name_id(const struct dictionary *dictionary, uint32_t frame);
const struct name *dictionary__name(const struct dictionary *dictionary, uint32_t name);
/* The id of the stack's names. */
uint32_t dictionary__named_stack(struct dictionary *dictionary, uint32_t stack);
/* String id of a process's comm. */
uint32_t dictionary__comm(const struct dictionary *dictionary, uint32_t process);

/*
 * True if the frame's address is a return address. The innermost frames of the kernel's side and of
 * the user's side are interrupted; all others have called.
 */
bool stack__is_caller(const struct dictionary *dictionary, const uint32_t *frames, size_t index);

/*
 * A location is all frames of one address: the inlined ones, and their outer function. Returns the
 * end of the one that begins at first.
 */
size_t stack__location_end(const struct dictionary *dictionary, const uint32_t *frames,
			   size_t nr_frames, size_t first);

#endif
