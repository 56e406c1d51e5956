/* SPDX-License-Identifier: GPL-2.0-only */
/* The files of a comparison: each is one run of its side. */
#ifndef TOPSTACKS_DIFF_MATCHING_RUN_FILES_H
#define TOPSTACKS_DIFF_MATCHING_RUN_FILES_H

#include <sys/types.h>

#include "base/common.h"
#include "diff/statistics/comparison.h"
#include "profile/file_placing.h"
#include "profile/recording.h"

struct run_file {
	char *path;
	enum side side;
	dev_t device;
	ino_t inode; /* 0: not a regular file */
	struct recording recording;
	bool is_read;
};

/* Zero it first. */
struct run_files {
	struct run_file *list;
	size_t nr, capacity;
	size_t max_memory_bytes;     /* of each file, as in struct read_options */
	const char *sample_type;     /* likewise */
	struct file_placing placing; /* likewise */

	/* Called after each file was read, to complete it. 0 or -ENOMEM. NULL: not called. */
	int (*complete)(void *context, struct recording *recording);
	void *context;
};

/*
 * Adds a file, or all files run-* of a directory. Errors are EXIT_USAGE: a file given twice on a
 * side, too many files, a directory without runs.
 */
int run_files__add(struct run_files *files, const char *path, enum side side, struct error *err);

/* Adds all files that match the pattern; NULL: none. It is an error if no file does. */
int run_files__add_glob(struct run_files *files, const char *pattern, enum side side,
			struct error *err);

bool run_files__has_side(const struct run_files *files, enum side side);

/*
 * Reads all files that are not read yet. Refuses files that cannot be judged: without counts; with
 * a sample_type that asks for weights; with a period that rose during the run.
 */
int run_files__read(struct run_files *files, struct error *err);

/* True if a file that was read shows weights of events: only their counts are compared. */
bool run_file__has_unjudged_weights(const struct run_file *file);

void run_files__free(struct run_files *files);

/* The part of its samples whose stacks may lack callers, if the file has a ledger; else 0. */
double run_file__incomplete(const struct run_file *file);

#endif
