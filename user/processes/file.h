/* SPDX-License-Identifier: GPL-2.0-only */
/* Opening the file that a process has mapped, and no other. */
#ifndef TOPSTACKS_PROCESSES_FILE_H
#define TOPSTACKS_PROCESSES_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "processes/process.h"

struct root;
struct roots;

/* A process that maps it, as far as it is known; the process may be gone. */
struct witness {
	int32_t pid;
	uint64_t start_ticks;	   /* of its birth; 0: not known */
	uint64_t start, end;	   /* of the mapping */
	const struct root *root;   /* that it had, or was born with; NULL: ours, or not known */
	const struct roots *roots; /* of others, for a process that changed it unseen; or NULL */
};

/* What changes when a file is written to or another one gets its inode. */
struct stamp {
	uint64_t bytes;
	int64_t modified_ns; /* CLOCK_REALTIME */
	/*
	 * CLOCK_MONOTONIC, may be before boot: this file was not what it is before. Whoever had
	 * this inode mapped earlier may have had another file.
	 */
	int64_t changed_ns;
};

/*
 * A descriptor for reading, of a regular file whose device and inode are those of the mapping, as
 * the kernel shows them in maps. -ENOENT: there is none within reach.
 */
int files__open_mapped(const struct mapping *mapping, const struct witness *witness);

/*
 * The witness as a directory of /proc: a descriptor of the caller's. -ESRCH: the process is gone,
 * or its pid somebody else's.
 */
int files__open_process(const struct witness *witness);

/* The directory that the process has, or had, as its "/", with O_PATH. -ENOENT: it is not known. */
int files__open_root(const struct witness *witness);

/*
 * A descriptor for reading, of a regular file below a root that no symbolic link leaves; whoever
 * asks has to find out whether it is the one that he wants. -ENOENT: there is none.
 */
int files__open_regular(int root, const char *path);
/* The same, through no symbolic link at all. */
int files__open_nofollow(int root, const char *path);

/* 0 or negative errno. */
int files__stamp(int fd, struct stamp *stamp);

#endif
