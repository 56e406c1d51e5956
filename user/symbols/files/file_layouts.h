/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where code of files is loaded that are known by path and build ID alone. What a process had mapped says
 * where a byte of the file was; which address in the file that is, its segments say: linkers may put
 * code at an offset that is not its address.
 */
#ifndef TOPSTACKS_SYMBOLS_FILES_FILE_LAYOUTS_H
#define TOPSTACKS_SYMBOLS_FILES_FILE_LAYOUTS_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/file_placing.h"

struct file_layouts;
struct readers;
struct spawner;

struct file_layouts_options {
	const char *symfs;	 /* directory to look in, too; NULL: none; stays valid */
	uint64_t max_ns;	 /* that all files may take together; others are not found */
	struct readers *readers; /* of files, borrowed */
	struct spawner *openers; /* likewise; NULL: files are opened here */
};

/* NULL: out of memory. */
struct file_layouts *file_layouts__new(const struct file_layouts_options *options);
void file_layouts__free(struct file_layouts *layouts); /* NULL is fine */

/*
 * A file_placing's find: what an address was in the file. False: no such file is here, or what it says is
 * not what was mapped. layouts: a struct file_layouts.
 */
bool file_layouts__find(void *layouts, const struct placed_file *file, uint64_t address,
			uint64_t *in_file);

#endif
