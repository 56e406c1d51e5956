/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A part: an executable mapping of a process and its file, as soon as that has arrived. Or memory
 * that may hold a copy of a file's text, and that file.
 */
#ifndef TOPSTACKS_CAPTURE_UNWINDING_PART_H
#define TOPSTACKS_CAPTURE_UNWINDING_PART_H

#include "base/common.h"
#include "processes/process.h"

struct unwind_file;
struct unwind_files;
struct unwind_region;

/* The fields are for the code that loads files. */
struct unwind_part {
	struct unwind_part *next;   /* in a queue */
	struct unwind_files *files; /* borrowed */
	uint64_t start, end;	    /* the memory */
	/* the file's mapping; path is owned, NULL once the part is done */
	struct mapping mapping;
	struct unwind_file *file; /* NULL: not accessible, or not known yet */
	uint64_t asked_ns;	  /* CLOCK_MONOTONIC */
	size_t nr_references;
	int32_t pid;
	int fd; /* the file to be read; -1: none */
	bool is_done, is_slow;
};

/* Returns a part with one reference. NULL: no memory. */
struct unwind_part *unwind_part__new(struct unwind_files *files, const struct mapping *mapping,
				     int32_t pid);
struct unwind_part *unwind_part__hold(struct unwind_part *part);
/* Drops a reference. Running programs may still use the file's rows. */
void unwind_part__put(struct unwind_part *part);

/* Marks the part as done: its file has its final state. */
void unwind_part__finish(struct unwind_part *part);

/* Returns true if the final state of the file is known. */
bool unwind_part__is_done(const struct unwind_part *part);

/*
 * Returns true if the part is not done, but was requested recently enough to be worth waiting for.
 */
bool unwind_part__is_awaited(const struct unwind_part *part, uint64_t now_ns);

/* Returns true if the request is so old that a failed attempt is not repeated. */
bool unwind_part__is_overdue(const struct unwind_part *part);

/* Returns true if the part is that mapping, and a new request would give no better result. */
bool unwind_part__is_of(const struct unwind_part *part, const struct mapping *mapping);

/* Returns the first address. */
uint64_t unwind_part__start(const struct unwind_part *part);

/* As unwind_placement__regions; has no rows unless the part is done. */
size_t unwind_part__regions(const struct unwind_part *part, struct unwind_region *regions,
			    size_t max_regions);

/* A queue of parts, first in, first out. It holds a reference to each. */
struct part_queue {
	struct unwind_part *first, **last;
	size_t nr;
};

void part_queue__init(struct part_queue *queue);
/* Puts all parts. */
void part_queue__fini(struct part_queue *queue);

/* Pushing moves the caller's reference to the queue; popping moves it back. */
void part_queue__push(struct part_queue *queue, struct unwind_part *part);
struct unwind_part *part_queue__pop(struct part_queue *queue);

#endif
