/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files whose tables readers make, some at a time:
 *
 *	to_read ──> at work ──> done     at work <──> slow
 *	to_come ────────────────┘
 *
 * Reading takes milliseconds. What takes long gives way to what waits, and is begun again when there
 * is nothing else to do, so that a crowd of files that are made to be slow holds up no others.
 *
 * The first part of a file brings it to a reader; others wait for it to come.
 */
#ifndef TOPSTACKS_CAPTURE_UNWINDING_PENDING_READS_H
#define TOPSTACKS_CAPTURE_UNWINDING_PENDING_READS_H

#include "capture/unwinding/part.h"
#include "readers/readers.h"

struct pollfd;
struct unwind_failures;

#define MAX_UNWIND_READINGS 4 /* as many do this job at once as may */

struct unwind_readings {
	struct readers *readers; /* borrowed; NULL: no file has a table */
	struct unwind_failures
		*failures; /* borrowed: files that could not be read are noted there */
	struct part_queue to_read, to_come, slow;
	struct unwind_reading_slot {
		struct reading reading;
		struct unwind_part *part; /* NULL: none */
		uint64_t begun_ns;
	} at_work[MAX_UNWIND_READINGS];
	size_t nr_at_work, nr_slow_at_work;
	size_t next;	  /* of those at work, whose turn it is; it only grows */
	uint64_t nr_done; /* parts, since the beginning */
};

void unwind_readings__init(struct unwind_readings *readings, struct readers *readers,
			   struct unwind_failures *failures);
void unwind_readings__fini(struct unwind_readings *readings);

/* Its file is read, or read for another part: the caller's reference is its own until it is done. */
void unwind_readings__add(struct unwind_readings *readings, struct unwind_part *part,
			  bool is_first);

/*
 * Takes a file that has been read, and reads on. One at a time, since the kernel may wait for maps of its
 * table, while there is something else to be done on time.
 */
void unwind_readings__work(struct unwind_readings *readings);

/* Something is under way or waits. */
bool unwind_readings__is_busy(const struct unwind_readings *readings);

/*
 * Whether a reader does not just wait for its file system. Adds to *progress a number that grows when
 * something was done.
 */
bool unwind_readings__are_at_work(const struct unwind_readings *readings, uint64_t *progress);

/* What to poll for until there is work, MAX_UNWIND_READINGS at most. Returns how many. */
size_t unwind_readings__watch(const struct unwind_readings *readings, struct pollfd *watched);

#endif
