/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files whose debug information may be asked for, by path and build ID: kept open from when they
 * were mapped, or found again by path. Whether a file has the build ID, its reader finds out.
 */
#ifndef TOPSTACKS_LINES_FILES_H
#define TOPSTACKS_LINES_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "processes/file.h"

struct hurry;
struct opener;

enum file_state {
	FILE_CLOSED, /* to be opened when an address in it is asked for */
	FILE_OPEN,
	FILE_DONE, /* nothing is to be had of it, any more */
};

struct line_file {
	struct map_item item;
	char *path, *build_id; /* "": none */
	enum file_state state;
	int fd;
	int root; /* the "/" of a process that has it mapped; -1: ours, or not known */
	struct file_identity origin; /* of the file that was kept */
	uint32_t nr_tried;	     /* files that it may be, if nobody kept it */
	int failure; /* of opening, to be told: -ETIMEDOUT or a shortage (base/shortage.h); 0: none */

	/* For whoever reads it. */
	uint64_t *asked; /* addresses */
	size_t nr_asked, capacity;
	bool is_read;
};

struct line_files {
	struct map map;	       /* of struct line_file */
	struct opener *opener; /* NULL: files are opened here */
	const char *symfs;     /* directory where files may lie, too; NULL: none */
	int own_root;	       /* our "/"; -1: out of reach */
	size_t nr_open;
};

/* The opener and symfs are borrowed. 0 or -ENOMEM. */
int line_files__init(struct line_files *files, struct opener *opener, const char *symfs);
void line_files__fini(struct line_files *files); /* zeroed is fine */

/*
 * The one of this path and build ID (NULL: none), made if there was none. NULL: out of memory, or
 * there are too many.
 */
struct line_file *line_files__find(struct line_files *files, const char *path,
				   const char *build_id);

/*
 * fd is such a file, and stays open, unless too many are. Without a build ID, two files of one path
 * cannot be told apart afterwards, and both are done with. root: the "/" of a process that has it
 * mapped, or -1.
 */
void line_files__keep(struct line_files *files, const char *path, const char *build_id, int fd,
		      int root);

/*
 * Opens one that nobody kept; its state says whether there is something to read. False: its file
 * system has not answered in the time that the hurry leaves, and it is to be tried again.
 */
bool line_file__open(struct line_files *files, struct line_file *file, struct hurry *hurry);

/*
 * The one that was opened so is another file, or has nothing to say: it is closed. Whether another one
 * may be opened in its place.
 */
bool line_file__try_next(struct line_files *files, struct line_file *file);

/* Closes it for good. */
void line_file__done(struct line_files *files, struct line_file *file);

#endif
