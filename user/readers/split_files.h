/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Debug information that was split from a file (.dwo, or a package of them, .dwp): libdw opens a
 * .dwo file by path, and by itself. In a reader, opening is a signal; whoever handles it asks for
 * the file, or makes one of what the package has, and takes the place of the system call.
 */
#ifndef TOPSTACKS_READERS_SPLIT_FILES_H
#define TOPSTACKS_READERS_SPLIT_FILES_H

#include <stdint.h>

struct reader_task;

/*
 * From here on, in a reader whose bounds trap opening (readers/confine.h); the task is borrowed
 * until the end.
 */
void split_files__begin(const struct reader_task *task);
void split_files__end(void);

/* Name: what the compiler calls the next one, borrowed until then; NULL: it does not say. */
void split_files__expect(const char *name, uint64_t id);

#endif
