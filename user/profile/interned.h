/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a dictionary is made of, for the files of this directory and for whoever compares by name.
 *
 * Beside what was added it numbers names: a name is what a frame is called and in which module, and
 * a named stack is a stack of names. Each is found once, names when a frame is added and named stacks
 * when somebody asks, so that ranking by name only compares numbers.
 */
#ifndef TOPSTACKS_PROFILE_INTERNED_H
#define TOPSTACKS_PROFILE_INTERNED_H

#include "profile/frame.h"
#include "profile/pool.h"

struct dictionary {
	unsigned int references;
	uint32_t seed; /* of the hashes over what others have written */
	struct pool strings, frames, names, stacks, named_stacks, processes;
	uint32_t *named; /* the named stack of each stack, as far as they were asked for */
	size_t nr_named, named_capacity;
};

/* Two names are one only if both pointers are equal: they are interned. */
struct name {
	struct pool_item item;
	const char *text;
	const char *module;   /* or NULL */
	enum frame_kind kind; /* of the first frame of this name */
	uint32_t function;    /* name id: without what compilers append; ID_NONE: it is one */
};

/* Of pools: whether an item is what the key is. */
int frame__equal(const void *item, const void *key);
int name__equal(const void *item, const void *key);
int named_stack__equal(const void *item, const void *key);

/* The name of the function that the frame is a part of: of "f.cold" it is "f". */
uint32_t dictionary__frame_function_id(const struct dictionary *dictionary, uint32_t frame);

uint32_t dictionary__frame_name_id(const struct dictionary *dictionary, uint32_t frame);
const struct name *dictionary__name(const struct dictionary *dictionary, uint32_t name);
/* ID_NONE: out of memory. */
uint32_t dictionary__named_stack(struct dictionary *dictionary, uint32_t stack);
/* String id of a process's comm. */
uint32_t dictionary__comm(const struct dictionary *dictionary, uint32_t process);

/* The innermost frame of each side of a stack is where it was, the others are where they called. */
bool stack__is_caller(const struct dictionary *dictionary, const uint32_t *frames, size_t index);

/* Order by text, then by module; by names leaf first, then by length. */
int name__compare(const struct name *a, const struct name *b);
int stack__compare_names(const struct dictionary *dictionary, uint32_t a, uint32_t b);

#endif
