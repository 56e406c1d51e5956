/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Debug information that was split from a file (.dwo): libdw opens it by path, and by itself. In a
 * reader, opening is a signal; whoever handles it asks for the file, and takes the place of the
 * system call.
 */
#ifndef TOPSTACKS_READERS_SPLIT_FILES_H
#define TOPSTACKS_READERS_SPLIT_FILES_H

struct reader_task;

/* From here on, in a reader whose bounds trap opening (readers/confine.h); the task is borrowed. */
void split_files__ask_for(const struct reader_task *task);

/* What the compiler calls the next one; NULL: it does not say. Borrowed until then. */
void split_files__expect(const char *name);

#endif
