/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Opens files that untrusted processes name: exactly the file that a process has mapped, or a file
 * below a root. A file system may block the opening process for ever, and no signal ends that. So
 * the sampler leaves these calls to an opener (opener.h).
 *
 * All functions but the last return a descriptor for reading a regular file. -ENOENT: no such file
 * is reachable; -EINVAL: not a regular file; -EMEDIUMTYPE: a file of the kernel's, where reading
 * has side effects, or a file that is a mount itself.
 */
#ifndef TOPSTACKS_PROCESSES_OPEN_FILE_H
#define TOPSTACKS_PROCESSES_OPEN_FILE_H

#include "base/common.h"
#include "processes/file.h"

struct living;

/* Where to look for a mapped file if the kernel's link to the mapping cannot be used. */
struct search_roots {
	const int *roots; /* with O_PATH; the process's own first if has_own */
	size_t nr_roots;
	bool has_own;

	/* Called when the file was found on the mapping's device, before it is opened. */
	void (*on_found)(void *context); /* NULL: not called */
	void *context;
};

/* Opens the file of a mapping: device and inode must be those that maps shows. */
int open_file__mapped(const struct mapping *mapping, const struct mapped_by *by,
		      const struct search_roots *where);

/*
 * Opens a file below a root; symbolic links cannot leave the root. Without follow, links are
 * refused. The caller checks that it is the wanted file.
 */
int open_file__below(int root, const char *path, bool follow);

/* The entry that gives a copy of the process's name (16 bytes) and its command line, cut off. */
#define COMMAND_LINE_FILE      "cmdline"
#define COMMAND_LINE_MAX_BYTES 4096

/*
 * Opens an entry of /proc/PID, as OPENING_PROCESS (opener.h) describes. *living: filled; may be
 * NULL.
 */
int open_file__of_process(const struct mapped_by *by, const char *name, struct living *living);

#endif
