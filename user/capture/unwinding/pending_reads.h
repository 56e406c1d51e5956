/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads unwind tables from files, in reader processes, some at a time:
 *
 *	to_read ──> at work ──> done     at work <──> slow
 *	to_come ────────────────┘
 *
 * Reading takes milliseconds. A slow read is abandoned if others wait, and is started again when
 * nothing else is to be done, so that many files made to be slow hold up no others.
 *
 * The first part of a file brings it to a reader; its other parts wait in to_come.
 */
#ifndef TOPSTACKS_CAPTURE_UNWINDING_PENDING_READS_H
#define TOPSTACKS_CAPTURE_UNWINDING_PENDING_READS_H

#include "capture/unwinding/part.h"
#include "readers/readers.h"

struct pollfd;
struct unwind_failures;

#define MAX_UNWIND_READINGS 4 /* the most readers for this job */

struct unwind_readings {
	struct readers *readers; /* borrowed; NULL: no file has a table */
	struct unwind_failures
		*failures; /* borrowed; files that could not be read are noted there */
	struct part_queue to_read, to_come, slow;
	struct unwind_reading_slot {
		struct reading reading;
		struct unwind_part *part; /* NULL: none */
		uint64_t begun_ns;
	} at_work[MAX_UNWIND_READINGS];
	size_t nr_at_work, nr_slow_at_work;
	size_t next;	  /* round-robin counter over at_work; only grows */
	uint64_t nr_done; /* parts completed since the start */
};

void unwind_readings__init(struct unwind_readings *readings, struct readers *readers,
			   struct unwind_failures *failures);
void unwind_readings__fini(struct unwind_readings *readings);

/*
 * Adds a part and takes the caller's reference until the part is done. is_first: the file is to be
 * read; false: it is being read for another part.
 */
void unwind_readings__add(struct unwind_readings *readings, struct unwind_part *part,
			  bool is_first);

/*
 * Takes one file that was read, and starts further reads. Only one, since the kernel may wait for
 * the maps of its table, and the caller has other deadlines.
 */
void unwind_readings__work(struct unwind_readings *readings);

/* Returns true if a read is under way or waits. */
bool unwind_readings__is_busy(const struct unwind_readings *readings);

/*
 * Returns true if a reader does more than wait for its file system. Adds a number to *progress that
 * grows with any work.
 */
bool unwind_readings__are_at_work(const struct unwind_readings *readings, uint64_t *progress);

/* Fills in descriptors to poll for work, at most MAX_UNWIND_READINGS. Returns their number. */
size_t unwind_readings__watch(const struct unwind_readings *readings, struct pollfd *watched);

#endif
