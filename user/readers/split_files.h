/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Split debug information (.dwo files, or a package of them, .dwp). libdw opens .dwo files by
 * itself, by path. In a reader, opening raises a signal; its handler asks for the file, or makes
 * one from the package, and replaces the result of the system call.
 */
#ifndef TOPSTACKS_READERS_SPLIT_FILES_H
#define TOPSTACKS_READERS_SPLIT_FILES_H

#include "base/common.h"

struct reader_task;

/*
 * Begins handling, in a reader whose bounds trap opening (readers/confine.h); the task is borrowed
 * until the end.
 */
void split_files__begin(const struct reader_task *task);
void split_files__end(void);

/*
 * Announces the next split unit. name: the path that the compiler gave, borrowed until then; NULL:
 * not known.
 */
void split_files__expect(const char *name, uint64_t id);

#endif
