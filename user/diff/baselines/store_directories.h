/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The directories of a store of baselines, which may be anybody's to write to. Below the store's own
 * everything is reached by descriptors and no link is followed, so that nothing outside of it is
 * read, written or removed; and a name that save would not have given is no baseline's.
 *
 *	STORE/BENCHMARK/MACHINE/BRANCH/TIME/run-001.pb.gz
 *
 * Who saves holds a lock on TIME.saving as long as it lives. What has no owner any more is removed
 * by whoever saves or prunes next.
 */
#ifndef TOPSTACKS_DIFF_BASELINES_STORE_DIRECTORIES_H
#define TOPSTACKS_DIFF_BASELINES_STORE_DIRECTORIES_H

#include <dirent.h>
#include <stdbool.h>

#define STORE_NAMES	 3 /* benchmark, machine, branch */
#define STORE_RUN	 "run-"
#define STORE_UNFINISHED ".saving"

/* Whose baselines. To find some, NULL stands for all. */
struct baseline_key {
	const char *benchmark, *machine, *branch;
};

/* "feature/simd" is "feature%2Fsimd", and nothing begins with a point. NULL: out of memory. */
char *store__encode_name(const char *name);
void store__decode_name(char *text);

/* For scandir(3): what save could have called a benchmark, machine or branch, a time, a run. */
int store__is_name(const struct dirent *entry);
int store__is_time(const struct dirent *entry);
int store__is_run(const struct dirent *entry);
void store__free_entries(struct dirent **entries, int nr);

/*
 * Descriptors, the caller's to close, or negative errno. The store itself may be a link that is ours;
 * with make it is made, with all that leads to it. A kin is the directory of a benchmark, machine and
 * branch.
 */
int store__open_kin(const char *directory, const struct baseline_key *key, bool make);
int store__open_below(int parent, const char *name);

/*
 * Removes a directory that is open and its runs, or neither: -ENOTEMPTY if it holds something else. That
 * it is gone already is no error. 0 or negative errno.
 */
int store__remove(int parent, int fd, const char *name);

/* Removes from a kin what nobody saves any more: its owner was killed. */
void store__sweep(int parent);

#endif
