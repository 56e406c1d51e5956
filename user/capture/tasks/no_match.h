/* SPDX-License-Identifier: GPL-2.0-only */
/* Errors when no process matches the names: a sentence with the reason, and existing names. */
#ifndef TOPSTACKS_CAPTURE_TASKS_NO_MATCH_H
#define TOPSTACKS_CAPTURE_TASKS_NO_MATCH_H

#include "base/common.h"

struct task_record;
struct wanted_names;

/* Explains a name that does not exist here. Fills err (EXIT_USAGE) and returns -ESRCH. */
int nobody__has_name(const struct wanted_names *wanted, const struct task_record *processes,
		     size_t nr_processes, struct error *err);

/*
 * Explains that no process has all these kinds (enum target_kind). Fills err (EXIT_USAGE) and
 * returns -ESRCH.
 */
int nobody__is_all(const struct wanted_names *wanted, uint32_t kinds,
		   const struct task_record *processes, size_t nr_processes, struct error *err);

#endif
