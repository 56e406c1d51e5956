/* SPDX-License-Identifier: GPL-2.0-only */
/* The late names of all processes (late_table.h), also of ended ones, as long as there is room. */
#ifndef TOPSTACKS_SYMBOLS_JIT_LATE_NAMES_H
#define TOPSTACKS_SYMBOLS_JIT_LATE_NAMES_H

#include "base/common.h"
#include "symbols/jit/late_table.h"

struct late_names {
	struct map tables;
	struct late_bounds bounds; /* the user sets its work */
};

struct frame;

void late_names__init(struct late_names *names, size_t max_bytes, bool demangle);
void late_names__fini(struct late_names *names);

/* The table of a process (process.h); valid until its is_over is set. NULL: there is no room. */
struct late_table *late_names__open(struct late_names *names, uint64_t instance);

/* Drops tables that are over when memory is short. */
void late_names__bound(struct late_names *names);

/*
 * Names a frame that had no name. True: *named is the frame with its late name, which is valid
 * until more is told.
 */
bool late_names__name(const struct late_names *names, uint64_t instance, const struct frame *frame,
		      bool is_caller, struct frame *named);

/* Number of addresses without a name because different functions may have been there. */
size_t late_names__nr_reused(struct late_names *names);

#endif
