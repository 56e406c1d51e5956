/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Opening what others name: the file that a process has mapped, and no other; and files that lie
 * below a root. A file system may hold up whoever asks it, for ever, and no signal ends that: the
 * sampler leaves these calls to an opener (opener.h).
 *
 * All but the last give a descriptor for reading, of a regular file. -ENOENT: there is none within reach;
 * -EINVAL: what is there is not a regular file; -EMEDIUMTYPE: it is one of the kernel's own files,
 * which act when they are read, or was mounted there by itself.
 */
#ifndef TOPSTACKS_PROCESSES_OPEN_FILE_H
#define TOPSTACKS_PROCESSES_OPEN_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "processes/file.h"

struct living;

/* Where a mapped file is looked for, beside what the kernel keeps of the mapping. */
struct search_roots {
	const int *roots; /* with O_PATH; the process's own first, if it is known */
	size_t nr_roots;
	bool has_own;

	/* Told when the file was found on the device of the mapping, and is to be opened. */
	void (*on_found)(void *context); /* NULL: nobody asks */
	void *context;
};

/* Its device and inode are those of the mapping, as the kernel shows them in maps. */
int open_file__mapped(const struct mapping *mapping, const struct mapped_by *by,
		      const struct search_roots *where);

/*
 * Below a root that no symbolic link leaves; without follow, through none at all. Whoever asks has
 * to find out whether it is the one that he wants.
 */
int open_file__below(int root, const char *path, bool follow);

/* What is called so in /proc/PID, as the kind OPENING_PROCESS (opener.h) has it. living: NULL: nobody asks. */
int open_file__of_process(const struct mapped_by *by, const char *name, struct living *living);

#endif
