/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The directories of a store of baselines, to which any user may be allowed to write. Everything
 * below the store's own directory is reached by descriptors and without following links, so that
 * nothing outside of the store is read, written or removed. Names that save would not have made are
 * ignored.
 *
 *	STORE/BENCHMARK/MACHINE/BRANCH/TIME/run-001.pb.gz
 *
 * A saving process holds a lock on TIME.saving as long as it lives. The next save or prune removes
 * directories of that name whose lock is free.
 */
#ifndef TOPSTACKS_DIFF_BASELINES_STORE_DIRECTORIES_H
#define TOPSTACKS_DIFF_BASELINES_STORE_DIRECTORIES_H

#include <dirent.h>

#include "base/common.h"

#define STORE_NAMES	 3 /* benchmark, machine, branch */
#define STORE_RUN	 "run-"
#define STORE_UNFINISHED ".saving"

/* The key of baselines. In a search NULL stands for all. */
struct baseline_key {
	const char *benchmark, *machine, *branch;
};

/*
 * Encodes a name for a path: "feature/simd" becomes "feature%2Fsimd", and no name begins with a
 * dot. The caller frees it.
 */
char *store__encode_name(const char *name);
void store__decode_name(char *text);

/*
 * Filters for scandir(3): true for names that save may have made for a benchmark, machine or
 * branch; for a time; for a run.
 */
int store__is_name(const struct dirent *entry);
int store__is_time(const struct dirent *entry);
int store__is_run(const struct dirent *entry);
void store__free_entries(struct dirent **entries, int nr);

/*
 * These return descriptors, which the caller closes, or negative errno. The store itself may be a
 * link, if it is ours. With make it is created, and all its parents. A kin is the directory of a
 * benchmark, machine and branch.
 */
int store__open_kin(const char *directory, const struct baseline_key *key, bool make);
int store__open_below(int parent, const char *name);

/*
 * Removes an open directory and its runs, or nothing: -ENOTEMPTY if it holds other files. A
 * directory that is gone already is no error. 0 or negative errno.
 */
int store__remove(int parent, int fd, const char *name);

/* Removes unfinished directories from a kin: their saving process was killed. */
void store__sweep(int parent);

#endif
