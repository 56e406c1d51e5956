/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Addresses in files that are known by path and build ID alone. The mapping of a process gives a
 * file offset; the file's segments turn it into an address, because linkers may put code at an
 * offset that is not its address.
 */
#ifndef TOPSTACKS_SYMBOLS_FILES_FILE_LAYOUTS_H
#define TOPSTACKS_SYMBOLS_FILES_FILE_LAYOUTS_H

#include "base/common.h"
#include "profile/file_placing.h"

struct file_layouts;
struct readers;
struct spawner;

struct file_layouts_options {
	const char *symfs;	 /* additional directory; NULL: none; stays valid */
	uint64_t max_ns;	 /* time limit for all files together; files after it are not
				  * found */
	struct readers *readers; /* borrowed */
	struct spawner *openers; /* borrowed; NULL: this process opens the files */
};

struct file_layouts *file_layouts__new(const struct file_layouts_options *options);
void file_layouts__free(struct file_layouts *layouts); /* NULL is fine */

/*
 * A find callback for file_placing: turns a mapped address into an address in the file. False: the
 * file is not here, or its segments do not fit the mapping. layouts: a struct file_layouts.
 */
bool file_layouts__find(void *layouts, const struct placed_file *file, uint64_t address,
			uint64_t *in_file);

#endif
