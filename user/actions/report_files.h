/* SPDX-License-Identifier: GPL-2.0-only */
/* The files that a report is of: those that were named, and those in directories that were. */
#ifndef TOPSTACKS_ACTIONS_REPORT_FILES_H
#define TOPSTACKS_ACTIONS_REPORT_FILES_H

#include <stddef.h>

#include "base/error.h"

struct report_files {
	char **paths; /* ended by NULL */
	size_t nr, capacity;
};

/*
 * A directory stands for what record --rotate or --repeat has written there, in the order of names,
 * which is that of time. files is zeroed. 0, or negative errno with err filled; to be freed either way.
 */
int report_files__find(struct report_files *files, char *const *paths, struct error *err);
void report_files__free(struct report_files *files);

#endif
