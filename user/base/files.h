/* SPDX-License-Identifier: GPL-2.0-only */
/* Files read whole, with a bound. */
#ifndef TOPSTACKS_BASE_FILES_H
#define TOPSTACKS_BASE_FILES_H

#include <stddef.h>

/*
 * Reads a file whose size may not be known before (procfs, sysfs) into *text, terminated by a zero
 * byte that *length (may be NULL) does not count; free() it. Never blocks on a FIFO. -EFBIG: more
 * than max_bytes. 0 or negative errno.
 */
int files__read(const char *path, size_t max_bytes, char **text, size_t *length);

/* The same from a descriptor, which may block and stays open. */
int files__read_fd(int fd, size_t max_bytes, char **text, size_t *length);

/*
 * "DIRECTORY/PATTERN" for glob(), in which the directory's own characters stand for themselves;
 * free() it. NULL: out of memory.
 */
char *files__pattern(const char *directory, const char *pattern);

#endif
