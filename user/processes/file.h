/* SPDX-License-Identifier: GPL-2.0-only */
/* Opening the file that a process has mapped, and no other; and knowing it again. */
#ifndef TOPSTACKS_PROCESSES_FILE_H
#define TOPSTACKS_PROCESSES_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "processes/process.h"

struct root_directory;
struct roots;

/* A process that maps it, as far as it is known; the process may be gone. */
struct mapped_by {
	int32_t pid;
	uint64_t start_ticks; /* of its birth; 0: not known */
	uint64_t start, end;  /* of the mapping */
	const struct root_directory
		*root;		   /* that it had, or was born with; NULL: ours, or unknown */
	const struct roots *roots; /* of others, for a process that changed it unseen; or NULL */
};

/* What changes when a file is written to or another one gets its inode. */
struct file_identity {
	uint64_t inode, device, nr_bytes;
	int64_t modified_ns; /* CLOCK_REALTIME */
};

/*
 * A descriptor for reading, of a regular file whose device and inode are those of the mapping, as
 * the kernel shows them in maps. -ENOENT: there is none within reach.
 */
int file__open_mapped(const struct mapping *mapping, const struct mapped_by *by);

/* The directory that the process has, or had, as its "/", with O_PATH. -ENOENT: it is not known. */
int file__open_root(const struct mapped_by *by);

/*
 * A descriptor for reading, of a regular file below a root that no symbolic link leaves; whoever
 * asks has to find out whether it is the one that he wants. -ENOENT: there is none.
 */
int file__open_regular(int root, const char *path);
/* The same, through no symbolic link at all. */
int file__open_nofollow(int root, const char *path);

/* 0 or negative errno. */
int file__identify(int fd, struct file_identity *identity);
bool file_identity__equals(const struct file_identity *a, const struct file_identity *b);

/* Both are descriptors of one file or directory. */
bool file__is_same(int a, int b);

/*
 * CLOCK_MONOTONIC, may be before boot: this file was not what it is before. Whoever had its inode
 * mapped earlier may have had another file. 0 or negative errno.
 */
int file__changed_ns(int fd, int64_t *changed_ns);

#endif
