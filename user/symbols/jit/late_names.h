/* SPDX-License-Identifier: GPL-2.0-only */
/* Late names of all processes (late_table.h); also of those that have ended, as long as there is room. */
#ifndef TOPSTACKS_SYMBOLS_JIT_LATE_NAMES_H
#define TOPSTACKS_SYMBOLS_JIT_LATE_NAMES_H

#include "base/map.h"
#include "symbols/jit/late_table.h"

struct late_names {
	struct map tables;
	struct late_bounds bounds; /* its work is the user's to set */
};

struct frame;

/* 0 or -ENOMEM. */
int late_names__init(struct late_names *names, size_t max_bytes, bool demangle);
void late_names__fini(struct late_names *names);

/* Of a process (process.h), as long as it is not over. NULL: there is no room. */
struct late_table *late_names__open(struct late_names *names, uint64_t instance);

/* When room becomes scarce, those that are over go. */
void late_names__bound(struct late_names *names);

/*
 * What was told later of a frame without a name: true, and *named is the frame with it, whose name is
 * valid until more is told.
 */
bool late_names__name(const struct late_names *names, uint64_t instance, const struct frame *frame,
		      bool is_caller, struct frame *named);

/* How many addresses have no name because different functions may have been there. */
size_t late_names__nr_reused(struct late_names *names);

#endif
