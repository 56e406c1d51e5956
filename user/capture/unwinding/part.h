/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An executable mapping of a process, and the file behind it as far as that has arrived; or memory that may hold a copy of
 * a file's text, and that file.
 */
#ifndef TOPSTACKS_CAPTURE_UNWINDING_PART_H
#define TOPSTACKS_CAPTURE_UNWINDING_PART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "processes/process.h"

struct unwind_file;
struct unwind_files;
struct unwind_region;

/* Its fields are for those who bring its file. */
struct unwind_part {
	struct unwind_part *next;   /* in a queue */
	struct unwind_files *files; /* borrowed */
	uint64_t start, end;	    /* of the memory */
	struct mapping mapping;	    /* of the file; its path is ours, and NULL once it is done */
	struct unwind_file *file;   /* NULL: there is none within reach, or it is not known yet */
	uint64_t asked_ns;	    /* CLOCK_MONOTONIC */
	size_t nr_references;
	int32_t pid;
	int fd; /* of what is to be read; -1: nothing */
	bool is_done, is_slow;
};

/* With one reference. NULL: no memory. */
struct unwind_part *unwind_part__new(struct unwind_files *files, const struct mapping *mapping,
				     int32_t pid);
struct unwind_part *unwind_part__hold(struct unwind_part *part);
/* Programs that run now may still look at the rows of its file. */
void unwind_part__put(struct unwind_part *part);

/* Its file is what it will be. */
void unwind_part__finish(struct unwind_part *part);

/* It is known what there is of its file. */
bool unwind_part__is_done(const struct unwind_part *part);

/* It is not, and was asked for so lately that it is worth waiting for. */
bool unwind_part__is_awaited(const struct unwind_part *part, uint64_t now_ns);

/* It was asked for so long ago that what cannot be done for it now is not tried again. */
bool unwind_part__is_overdue(const struct unwind_part *part);

/* It is that mapping, and it would be of no use to ask again. */
bool unwind_part__is_of(const struct unwind_part *part, const struct mapping *mapping);

/* From which address on it is. */
uint64_t unwind_part__start(const struct unwind_part *part);

/* As unwind_placement__regions; without rows unless it is done. */
size_t unwind_part__regions(const struct unwind_part *part, struct unwind_region *regions,
			    size_t max_regions);

/* First in, first out. It holds its parts. */
struct part_queue {
	struct unwind_part *first, **last;
	size_t nr;
};

void part_queue__init(struct part_queue *queue);
/* Puts all parts. */
void part_queue__fini(struct part_queue *queue);

/* The queue gets the caller's reference; and the caller has it again. */
void part_queue__push(struct part_queue *queue, struct unwind_part *part);
struct unwind_part *part_queue__pop(struct part_queue *queue);

#endif
