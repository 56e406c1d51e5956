/* SPDX-License-Identifier: GPL-2.0-only */
/* Members: the processes that have or want unwind tables, and the order in which they get them. */
#ifndef TOPSTACKS_CAPTURE_UNWINDING_MEMBERS_H
#define TOPSTACKS_CAPTURE_UNWINDING_MEMBERS_H

#include "base/common.h"
#include "capture/unwinding/listings.h"

struct unwind_loading;

struct unwind_member {
	struct map_number pid;
	bool is_wanted;			/* its mappings are to be read */
	uint64_t heat;			/* samples of a newer instance since the last load */
	uint64_t loaded_ns;		/* CLOCK_MONOTONIC; events seen before say nothing new */
	struct unwind_loading *loading; /* NULL: no loading is under way */
	struct unwind_listing listing;
};

struct unwind_members {
	struct map by_pid;
	size_t nr_wanted;
};

/* 0 or -ENOMEM. */
int unwind_members__init(struct unwind_members *members);
/* Puts the parts of all members; their lists stay with the programs. Zeroed is fine. */
void unwind_members__fini(struct unwind_members *members);

/* Returns the member with this pid; NULL: there is none. */
struct unwind_member *unwind_members__find(const struct unwind_members *members, int32_t pid);
/* Returns the member with this pid, added if needed. NULL: no memory. */
struct unwind_member *unwind_members__add(struct unwind_members *members, int32_t pid);
/* Removes a member. No loading may be under way, and its list must be withdrawn. */
void unwind_members__remove(struct unwind_members *members, struct unwind_member *member);

int32_t unwind_member__pid(const struct unwind_member *member);

void unwind_members__set_wanted(struct unwind_members *members, struct unwind_member *member,
				bool wanted);
void unwind_members__want_all(struct unwind_members *members);
/* Marks members as wanted that have late files, some of which have arrived. */
void unwind_members__want_lacking(struct unwind_members *members);

/*
 * Lists the members that are wanted and not being loaded, most samples first. *queue is to be
 * freed. Returns 0 or -ENOMEM.
 */
int unwind_members__queue(struct unwind_members *members, struct unwind_member ***queue,
			  size_t *nr_queued);

#endif
