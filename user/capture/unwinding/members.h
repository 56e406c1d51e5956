/* SPDX-License-Identifier: GPL-2.0-only */
/* The processes that have tables, or that want them, and whose turn it is. */
#ifndef TOPSTACKS_CAPTURE_UNWINDING_MEMBERS_H
#define TOPSTACKS_CAPTURE_UNWINDING_MEMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "capture/unwinding/listings.h"

struct unwind_loading;

struct unwind_member {
	struct map_number pid;
	bool is_wanted;	    /* its mappings are to be read */
	uint64_t heat;	    /* samples since it was last loaded, of another instance than that */
	uint64_t loaded_ns; /* CLOCK_MONOTONIC: what was seen before says nothing new */
	struct unwind_loading *loading; /* NULL: nothing is under way */
	struct unwind_listing listing;
};

struct unwind_members {
	struct map by_pid;
	size_t nr_wanted;
};

/* 0 or -ENOMEM. */
int unwind_members__init(struct unwind_members *members);
/* Puts their parts; what the program knows of them stays. Zeroed is fine. */
void unwind_members__fini(struct unwind_members *members);

/* NULL: there is none. */
struct unwind_member *unwind_members__find(const struct unwind_members *members, int32_t pid);
/* Finds or adds it. NULL: no memory. */
struct unwind_member *unwind_members__add(struct unwind_members *members, int32_t pid);
/* Nothing may be under way for it. The program knows nothing of it. */
void unwind_members__remove(struct unwind_members *members, struct unwind_member *member);

int32_t unwind_member__pid(const struct unwind_member *member);

void unwind_members__set_wanted(struct unwind_members *members, struct unwind_member *member,
				bool wanted);
void unwind_members__want_all(struct unwind_members *members);
/* Those of whose late files some have arrived. */
void unwind_members__want_lacking(struct unwind_members *members);

/*
 * Members that are wanted, and for which nothing is under way, the most sampled first: *queue is the
 * caller's, to be freed. 0 or -ENOMEM.
 */
int unwind_members__queue(struct unwind_members *members, struct unwind_member ***queue,
			  size_t *nr_queued);

#endif
