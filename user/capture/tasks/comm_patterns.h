/* SPDX-License-Identifier: GPL-2.0-only */
/* Compiles shell patterns of process names for the kernel: see topstacks/comm_pattern.h. */
#ifndef TOPSTACKS_CAPTURE_TASKS_COMM_PATTERNS_H
#define TOPSTACKS_CAPTURE_TASKS_COMM_PATTERNS_H

struct comm_pattern;

/*
 * Compiles a pattern that matches like fnmatch(3) without flags, in single bytes. The kernel keeps
 * 15 characters of a name, so a longer text without wildcards is cut to its first 15. Returns 0;
 * -E2BIG: too many elements.
 */
int comm_pattern__make(struct comm_pattern *pattern, const char *text);

#endif
