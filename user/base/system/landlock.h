/* SPDX-License-Identifier: GPL-2.0-only */
/* Which files a process may still use, whoever it is (Landlock, from Linux 5.13 on). */
#ifndef TOPSTACKS_BASE_SYSTEM_LANDLOCK_H
#define TOPSTACKS_BASE_SYSTEM_LANDLOCK_H

#include <stdbool.h>
#include <stddef.h>

/* A file, or a directory with all that is below it. What is not there is left out. */
struct open_place {
	const char *path;
	bool is_written; /* else it is read only */
};

/*
 * From here on this thread, and whatever it starts, reads and changes nothing but these. It sets
 * no_new_privs. 0; -EOPNOTSUPP: this kernel has no such walls; other negative errno.
 */
int file_walls__install(const struct open_place *places, size_t nr_places);

#endif
