/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A directory of baselines: sets of runs, known by benchmark, machine, branch and when they were
 * saved. A baseline is there whole or not at all, and never changes.
 *
 *	DIRECTORY/json-parser/build-7/feature%2Fsimd/20260131T123456.789Z/run-001.pb.gz
 */
#ifndef TOPSTACKS_DIFF_BASELINES_BASELINE_STORE_H
#define TOPSTACKS_DIFF_BASELINES_BASELINE_STORE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "diff/baselines/store_directories.h"

struct baseline {
	char *benchmark, *machine, *branch;
	char *time; /* "20260131T123456.789Z" */
	char *path; /* of its directory */
	size_t nr_runs;
};

/* Zero it first. */
struct baselines {
	struct baseline *list; /* of equal keys the oldest first */
	size_t nr;
};

/* Copies the files. *saved is the new directory; free() it. 0 or negative errno. */
int baseline_store__save(const char *directory, const struct baseline_key *key, char *const *files,
			 size_t nr_files, char **saved, struct error *err);

/* 0, also if the directory is not there, or negative errno. */
int baseline_store__find(const char *directory, const struct baseline_key *key,
			 struct baselines *found, struct error *err);
void baselines__fini(struct baselines *found);

/*
 * Removes all but the newest nr_kept of each benchmark, machine and branch: their runs and their
 * directories, and nothing else. on_removed is told of each. One that cannot be removed, as it holds
 * something else, does not keep the others: the error names the first. 0 or negative errno.
 */
int baseline_store__prune(const char *directory, const struct baseline_key *key,
			  unsigned int nr_kept, void (*on_removed)(const struct baseline *baseline),
			  struct error *err);

#endif
