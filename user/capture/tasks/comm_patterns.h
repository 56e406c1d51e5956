/* SPDX-License-Identifier: GPL-2.0-only */
/* Shell patterns of process names, taken apart for the kernel: see topstacks/comm_pattern.h. */
#ifndef TOPSTACKS_CAPTURE_TASKS_COMM_PATTERNS_H
#define TOPSTACKS_CAPTURE_TASKS_COMM_PATTERNS_H

struct comm_pattern;

/*
 * As fnmatch(3) has it without flags, in characters of one byte. The kernel keeps 15 characters of a
 * name, so of a longer one without wildcards the first 15 are meant. -E2BIG: too many elements.
 */
int comm_pattern__make(struct comm_pattern *pattern, const char *text);

#endif
