/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files whose debug information may be looked up, by path and build ID: kept open since they were
 * mapped, or found again by path. The reader checks the build ID.
 */
#ifndef TOPSTACKS_LINES_FILES_H
#define TOPSTACKS_LINES_FILES_H

#include "base/common.h"
#include "processes/file.h"

struct time_budget;
struct opener;

enum file_state {
	FILE_CLOSED, /* opened when an address in it is looked up */
	FILE_OPEN,
	FILE_DONE, /* it has nothing more to read */
};

struct line_file {
	struct map_item item;
	char *path, *build_id; /* "": not known */
	enum file_state state;
	int fd;
	int root;		     /* "/" of a process that maps it; -1: ours, or not known */
	struct file_identity origin; /* of the kept file */
	uint32_t nr_tried;	     /* candidates tried, if no file was kept */
	int failure; /* error to tell: -ETIMEDOUT or a shortage (base/shortage.h); 0: none */

	/* For the reader of the file. */
	uint64_t *asked; /* addresses */
	size_t nr_asked, capacity;
	bool is_read;
};

struct line_files {
	struct map map;	       /* of struct line_file */
	struct opener *opener; /* NULL: this process opens files */
	const char *symfs;     /* additional directory; NULL: none */
	int own_root;	       /* our "/"; -1: out of reach */
	size_t nr_open;
};

/* The opener and symfs are borrowed. */
void line_files__init(struct line_files *files, struct opener *opener, const char *symfs);
void line_files__fini(struct line_files *files); /* zeroed is fine */

/* Finds or adds the file with this path and build ID (NULL: none). NULL: there are too many. */
struct line_file *line_files__find(struct line_files *files, const char *path,
				   const char *build_id);

/*
 * Keeps fd open, a file with this path and build ID, unless too many are open. Two files of one
 * path without a build ID cannot be told apart later, so both are done. root: "/" of a process that
 * maps it, or -1.
 */
void line_files__keep(struct line_files *files, const char *path, const char *build_id, int fd,
		      int root);

/*
 * Opens a file that was not kept; its state tells whether there is something to read. False: its
 * file system has not answered within the budget; try again later.
 */
bool line_file__open(struct line_files *files, struct line_file *file, struct time_budget *budget);

/*
 * Closes the opened file, as it is another one or has no debug information. Returns whether another
 * candidate may be opened.
 */
bool line_file__try_next(struct line_files *files, struct line_file *file);

/* Closes the file for good. */
void line_file__done(struct line_files *files, struct line_file *file);

#endif
