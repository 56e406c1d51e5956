/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a reader says of where an ELF file is loaded: a struct file_segments. -ESTALE: it has another build
 * ID; -ENOEXEC: it is no ELF file, or has no segment with code.
 */
#ifndef TOPSTACKS_READERS_FILE_SEGMENTS_H
#define TOPSTACKS_READERS_FILE_SEGMENTS_H

#include <stdint.h>

#include "elf/file.h"

#define MAX_FILE_SEGMENTS 16 /* with code; a linker makes one or two */

/* The arguments. */
struct segments_request {
	char build_id[BUILD_ID_TEXT_SIZE]; /* that the file must have; "": any */
};

struct file_segment {
	uint64_t offset; /* in the file */
	uint64_t address, size;
};

struct file_segments {
	uint64_t
		has_offsets; /* 0: it is a debug file, whose offsets are not those of the program */
	uint64_t nr;
	struct file_segment segments[MAX_FILE_SEGMENTS]; /* those with code */
};

#endif
