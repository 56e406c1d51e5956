/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Knowing a file again by its descriptor. Nothing here waits for a file system: what the kernel
 * knows of a file is asked for, not what a server would say of it now.
 */
#ifndef TOPSTACKS_PROCESSES_FILE_H
#define TOPSTACKS_PROCESSES_FILE_H

#include <stdbool.h>
#include <stddef.h>
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

/* 0 or negative errno. */
int file__identify(int fd, struct file_identity *identity);
bool file_identity__equals(const struct file_identity *a, const struct file_identity *b);

/* Both are descriptors of one file or directory. */
bool file__is_same(int a, int b);

/* What it is called just now, terminated and cut off at size; "": nobody knows. */
void file__path(int fd, char *path, size_t size);

/*
 * Of the mount that it is on, which is another one in each mount namespace; it may be used again when
 * that mount is gone. 0: not known.
 */
uint64_t file__mount(int fd);

/* Whose it is, and how many names it has. 0 or negative errno. */
int file__owner(int fd, uint32_t *uid, uint32_t *nr_links);

/* Neither it nor its name has changed since then (CLOCK_REALTIME). */
bool file__is_older(int fd, int64_t time_ns);

/*
 * CLOCK_MONOTONIC, may be before boot: this file was not what it is before. Whoever had its inode
 * mapped earlier may have had another file. 0 or negative errno.
 */
int file__changed_ns(int fd, int64_t *changed_ns);

#endif
