/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads the instructions of a file known by path and build ID with a reader, and waits for it. */
#ifndef TOPSTACKS_LINES_INSTRUCTIONS_H
#define TOPSTACKS_LINES_INSTRUCTIONS_H

#include "base/common.h"
#include "readers/instructions.h"
#include "readers/readers.h"

struct opener;

struct instructions_options {
	const char *symfs; /* additional directory; NULL: none */
	struct readers *readers;
	struct opener *opener; /* NULL: this process opens files */
};

struct instructions {
	struct reader_answer answer;
	const struct read_instruction *read; /* checked: within the ranges, sorted, terminated */
	size_t nr_read;
	int64_t modified_ns; /* modification time of the file; CLOCK_REALTIME */
};

/*
 * Reads the instructions of ranges, which are sorted and do not overlap, up to
 * MAX_INSTRUCTION_RANGES. 0, then call instructions__free(); -ENOENT: no file with that build ID is
 * here that has the code; other errors as reading__finish() and debug_places__open_file().
 */
int instructions__read(struct instructions *instructions,
		       const struct instructions_options *options, const char *path,
		       const char *build_id, const struct instruction_range *ranges,
		       size_t nr_ranges);
void instructions__free(struct instructions *instructions); /* zeroed is fine */

#endif
