/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A mapping of a file as a profile describes it, and the callback of the reader that knows the
 * file's segments.
 */
#ifndef TOPSTACKS_PROFILE_FILE_PLACING_H
#define TOPSTACKS_PROFILE_FILE_PLACING_H

#include "base/common.h"

struct placed_file {
	const char *path, *build_id; /* NULL: not known */
	uint64_t start, limit;	     /* addresses in the process */
	uint64_t offset;	     /* of start, in the file */
};

/* Zeroed: no reader, so no address can be translated. */
struct file_placing {
	/*
	 * Translates an address between start and limit; *in_file is the virtual address in the
	 * file. False: not known.
	 */
	bool (*find)(void *context, const struct placed_file *file, uint64_t address,
		     uint64_t *in_file);
	void *context;
};

#endif
