/* SPDX-License-Identifier: GPL-2.0-only */
/* The files of a comparison, each one a run of its side. */
#ifndef TOPSTACKS_DIFF_MATCHING_RUN_FILES_H
#define TOPSTACKS_DIFF_MATCHING_RUN_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"
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
	size_t max_memory_bytes;     /* of each, as in struct read_options */
	const char *sample_type;     /* likewise */
	struct file_placing placing; /* likewise */

	/* Completes each as it was read. 0 or -ENOMEM. NULL: they stay as they are. */
	int (*complete)(void *context, struct recording *recording);
	void *context;
};

/*
 * A file, or a directory, which stands for the files in it that are called run-*. Errors are
 * EXIT_USAGE: a file given twice on a side, too many, a directory without runs.
 */
int run_files__add(struct run_files *files, const char *path, enum side side, struct error *err);

/* All files whose names match; NULL: none. That none does is an error. */
int run_files__add_glob(struct run_files *files, const char *pattern, enum side side,
			struct error *err);

bool run_files__has_side(const struct run_files *files, enum side side);

/*
 * Reads all that are not read yet. Refused is what nobody can judge: what holds no counts, weights that
 * were asked for by sample_type, and samples of a period that rose during the run.
 */
int run_files__read(struct run_files *files, struct error *err);

/* Shown are weights of what is counted; compared are the counts. Of a file that is read. */
bool run_file__has_unjudged_weights(const struct run_file *file);

void run_files__free(struct run_files *files);

/*
 * Of a file that says so, the part of its samples whose stacks may lack callers; else 0. What
 * topstacks recorded says so.
 */
double run_file__incomplete(const struct run_file *file);

#endif
