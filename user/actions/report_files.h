/* SPDX-License-Identifier: GPL-2.0-only */
/* The files of a report: those that were named, and those in the directories that were named. */
#ifndef TOPSTACKS_ACTIONS_REPORT_FILES_H
#define TOPSTACKS_ACTIONS_REPORT_FILES_H

#include "base/common.h"

struct report_files {
	char **paths; /* NULL at the end */
	size_t nr, capacity;
};

/*
 * Lists the files. A directory stands for the files that record --rotate or --repeat wrote there,
 * by name, which is by time. files is zeroed before. 0, or negative errno with err filled; call
 * report_files__free() in either case.
 */
int report_files__find(struct report_files *files, char *const *paths, struct error *err);
void report_files__free(struct report_files *files);

#endif
