/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads whole files or lines, up to a limit. */
#ifndef TOPSTACKS_BASE_FILES_H
#define TOPSTACKS_BASE_FILES_H

#include "base/common.h"

/*
 * Reads a file of unknown size (procfs, sysfs) into *text, ended by a zero byte that *length (may
 * be NULL) does not count; free() it. Never blocks on a FIFO. 0 or negative errno; -EFBIG: more
 * than max_bytes.
 */
int files__read(const char *path, size_t max_bytes, char **text, size_t *length);

/*
 * Opens a file that the user names for reading; it may be a pipe, and reads wait for its writer.
 * Returns a descriptor, which the caller closes, or negative errno; -ENODATA: it is a FIFO that no
 * process has opened for writing within 10 s.
 */
int files__open_named(const char *path);

/* Like files__read() from a descriptor, which may block and stays open. */
int files__read_fd(int fd, size_t max_bytes, char **text, size_t *length);

/*
 * Calls on_line for each line read from a descriptor until it returns non-zero, and returns that
 * value. end: the newline, which is replaced by a zero. A last line without a newline is ignored; a
 * line that does not fit in the buffer comes in pieces. 0 or negative errno.
 */
int files__each_line(int fd, char *buffer, size_t size,
		     int (*on_line)(void *context, char *line, char *end), void *context);

/* Writes all bytes. 0 or negative errno. */
int files__write(int fd, const void *bytes, size_t nr_bytes);

/* Returns "DIRECTORY/NAME" with a single slash between them; free() it. */
char *files__join(const char *directory, const char *name);

/*
 * Returns "DIRECTORY/PATTERN" for glob(), with the special characters of directory escaped; free()
 * it.
 */
char *files__pattern(const char *directory, const char *pattern);

#endif
