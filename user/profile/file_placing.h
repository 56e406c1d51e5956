/* SPDX-License-Identifier: GPL-2.0-only */
/* The mapping of a file, as its profile says it, and the reader that knows its segments. */
#ifndef TOPSTACKS_PROFILE_FILE_PLACING_H
#define TOPSTACKS_PROFILE_FILE_PLACING_H

#include <stdbool.h>
#include <stdint.h>

struct placed_file {
	const char *path, *build_id; /* NULL: not known */
	uint64_t start, limit;	     /* addresses in the process */
	uint64_t offset;	     /* of start, in the file */
};

/* Zeroed: nobody knows. */
struct file_placing {
	/* Of an address between start and limit: *in_file is the virtual one within the file. False: not known. */
	bool (*find)(void *context, const struct placed_file *file, uint64_t address,
		     uint64_t *in_file);
	void *context;
};

#endif
