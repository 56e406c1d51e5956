/* SPDX-License-Identifier: GPL-2.0-only */
/* The instructions of a file that is known by path and build ID: read by a reader, and waited for. */
#ifndef TOPSTACKS_LINES_INSTRUCTIONS_H
#define TOPSTACKS_LINES_INSTRUCTIONS_H

#include <stddef.h>
#include <stdint.h>

#include "readers/instructions.h"
#include "readers/readers.h"

struct opener;

struct instructions_options {
	const char *symfs; /* directory where the file may lie, too; NULL: none */
	struct readers *readers;
	struct opener *opener; /* NULL: files are opened here */
};

struct instructions {
	struct reader_answer answer;
	const struct read_instruction *read; /* checked: within the ranges, in order, terminated */
	size_t nr_read;
	int64_t modified_ns; /* of the file; CLOCK_REALTIME */
};

/*
 * Those of so many ranges, which are in order and do not overlap, MAX_INSTRUCTION_RANGES at most. 0, and
 * instructions__free() is to be called; -ENOENT: no file of that build ID is here that has the code;
 * otherwise as reading__finish() and debug_places__open_file().
 */
int instructions__read(struct instructions *instructions,
		       const struct instructions_options *options, const char *path,
		       const char *build_id, const struct instruction_range *ranges,
		       size_t nr_ranges);
void instructions__free(struct instructions *instructions); /* zeroed is fine */

#endif
