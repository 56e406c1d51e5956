/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Recognizes a file by its descriptor. No function here waits for a file system: they use what the
 * kernel has cached, and do not ask a file server.
 */
#ifndef TOPSTACKS_PROCESSES_FILE_H
#define TOPSTACKS_PROCESSES_FILE_H

#include "base/common.h"
#include "processes/process.h"

struct root_directory;
struct roots;

/* A process that maps a file, as far as known; it may be gone. */
struct mapped_by {
	int32_t pid;
	uint64_t start_ticks; /* its start time; 0: not known */
	uint64_t start, end;  /* of the mapping */
	const struct root_directory
		*root; /* the root that it has or was born with; NULL: ours, or unknown */
	const struct roots *roots; /* all known roots, in case it changed its root unseen; or
				    * NULL */
};

/* Changes when the file is written to, or another file gets its inode. */
struct file_identity {
	uint64_t inode, device, nr_bytes;
	int64_t modified_ns; /* CLOCK_REALTIME */
};

/* Fills in the identity of an open file. 0 or negative errno. */
int file__identify(int fd, struct file_identity *identity);
bool file_identity__equals(const struct file_identity *a, const struct file_identity *b);

/* Whether both descriptors are of the same file or directory. */
bool file__is_same(int a, int b);

/* The current path of an open file, terminated and cut off at size; "": not known. */
void file__path(int fd, char *path, size_t size);

/*
 * The id of the file's mount, which is different in each mount namespace. It may be reused when the
 * mount is gone. 0: not known.
 */
uint64_t file__mount(int fd);

/* The owner and number of links of a file. 0 or negative errno. */
int file__owner(int fd, uint32_t *uid, uint32_t *nr_links);

/* Whether file and name are unchanged since time_ns (CLOCK_REALTIME). */
bool file__is_older(int fd, int64_t time_ns);

/*
 * The time from which the file surely has been the same (CLOCK_MONOTONIC; may be before boot): a
 * process that mapped its inode earlier may have mapped another file. 0 or negative errno.
 */
int file__changed_ns(int fd, int64_t *changed_ns);

#endif
