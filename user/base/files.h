/* SPDX-License-Identifier: GPL-2.0-only */
/* Files read whole or line by line, with a bound. */
#ifndef TOPSTACKS_BASE_FILES_H
#define TOPSTACKS_BASE_FILES_H

#include <stddef.h>

/*
 * Reads a file whose size may not be known before (procfs, sysfs) into *text, terminated by a zero
 * byte that *length (may be NULL) does not count; free() it. Never blocks on a FIFO. -EFBIG: more
 * than max_bytes. 0 or negative errno.
 */
int files__read(const char *path, size_t max_bytes, char **text, size_t *length);

/*
 * Opens what the caller named for reading, which may be a pipe: reading waits for whoever writes to it.
 * -ENODATA: it is a FIFO, and nobody has opened it for writing within 10 s. A descriptor, the caller's
 * to close, or negative errno.
 */
int files__open_named(const char *path);

/* files__read from a descriptor, which may block and stays open. */
int files__read_fd(int fd, size_t max_bytes, char **text, size_t *length);

/*
 * Calls on_line for each line that is read from a descriptor, until it returns something else than
 * 0, and returns that; end is where its newline was and a zero is. Of the last one only what has a
 * newline counts; one that does not fit in the buffer is cut in pieces. 0 or negative errno.
 */
int files__each_line(int fd, char *buffer, size_t size,
		     int (*on_line)(void *context, char *line, char *end), void *context);

/* Writes all of it. 0 or negative errno. */
int files__write(int fd, const void *bytes, size_t nr_bytes);

/* "DIRECTORY/NAME", with one slash between them if there is one already; free() it. NULL: out of memory. */
char *files__join(const char *directory, const char *name);

/*
 * "DIRECTORY/PATTERN" for glob(), in which the directory's own characters stand for themselves;
 * free() it. NULL: out of memory.
 */
char *files__pattern(const char *directory, const char *pattern);

#endif
