/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A directory of baselines. A baseline is a set of runs with a benchmark, a machine, a branch and
 * the time when it was saved. It is there as a whole or not at all, and never changes.
 *
 *	DIRECTORY/json-parser/build-7/feature%2Fsimd/20260131T123456.789Z/run-001.pb.gz
 */
#ifndef TOPSTACKS_DIFF_BASELINES_BASELINE_STORE_H
#define TOPSTACKS_DIFF_BASELINES_BASELINE_STORE_H

#include "base/common.h"
#include "diff/baselines/store_directories.h"

struct baseline {
	char *benchmark, *machine, *branch;
	char *time; /* "20260131T123456.789Z" */
	char *path; /* of its directory */
	size_t nr_runs;
};

/* Zero it first. */
struct baselines {
	struct baseline *list; /* sorted by key, then by time, the oldest first */
	size_t nr;
};

/*
 * Copies the files into a new baseline. *saved is the path of its directory; the caller frees it. 0
 * or negative errno.
 */
int baseline_store__save(const char *directory, const struct baseline_key *key, char *const *files,
			 size_t nr_files, char **saved, struct error *err);

/* Finds the baselines of the key. 0, also if the directory is missing; or negative errno. */
int baseline_store__find(const char *directory, const struct baseline_key *key,
			 struct baselines *found, struct error *err);
void baselines__fini(struct baselines *found);

/*
 * Removes all but the newest nr_kept of each benchmark, machine and branch: the runs and the
 * directories, and nothing else. Calls on_removed for each. A baseline that cannot be removed, as
 * its directory holds other files, does not stop the rest; the error names the first of these. 0 or
 * negative errno.
 */
int baseline_store__prune(const char *directory, const struct baseline_key *key,
			  unsigned int nr_kept, void (*on_removed)(const struct baseline *baseline),
			  struct error *err);

#endif
