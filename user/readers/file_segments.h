/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The segments of an ELF file, as a reader answers: a struct file_segments. -ESTALE: the file has
 * another build ID; -ENOEXEC: it is no ELF file, or has no segment with code.
 */
#ifndef TOPSTACKS_READERS_FILE_SEGMENTS_H
#define TOPSTACKS_READERS_FILE_SEGMENTS_H

#include "base/common.h"
#include "elf/file.h"

#define MAX_FILE_SEGMENTS 16 /* with code; linkers make one or two */

/* The arguments. */
struct segments_request {
	char build_id[BUILD_ID_TEXT_SIZE]; /* required; "": any */
};

struct file_segment {
	uint64_t offset; /* file offset */
	uint64_t address, size;
};

struct file_segments {
	uint64_t has_offsets; /* 0: a debug file, whose offsets are not those of the program */
	uint64_t nr;
	struct file_segment segments[MAX_FILE_SEGMENTS]; /* segments with code */
};

#endif
