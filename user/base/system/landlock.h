/* SPDX-License-Identifier: GPL-2.0-only */
/* Limits the files that a process may use, independent of its user (Landlock, since Linux 5.13). */
#ifndef TOPSTACKS_BASE_SYSTEM_LANDLOCK_H
#define TOPSTACKS_BASE_SYSTEM_LANDLOCK_H

#include "base/common.h"

/* A file, or a directory with all that is in it. A path that does not exist is skipped. */
struct open_place {
	const char *path;
	bool is_written; /* may be written to; false: read only */
};

/*
 * From now on this thread and its children can read and change only these places. Sets
 * no_new_privs. 0; -EOPNOTSUPP: not supported by this kernel; other negative errno.
 */
int landlock__install(const struct open_place *places, size_t nr_places);

#endif
