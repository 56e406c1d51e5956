/* SPDX-License-Identifier: GPL-2.0-only */
/* Files without a table that may well have one: each is told of once, the first few of a run. */
#ifndef TOPSTACKS_CAPTURE_UNWINDING_FAILURES_H
#define TOPSTACKS_CAPTURE_UNWINDING_FAILURES_H

#include <stdbool.h>
#include <stddef.h>

#define UNWIND_MAX_FAILURES 16

/* Zeroed at first. */
struct unwind_failures {
	struct {
		char *path;
		int code;
	} of[UNWIND_MAX_FAILURES];
	size_t nr, nr_taken;
};

void unwind_failures__fini(struct unwind_failures *failures);

/* code: how opening or reading it ended; most say that there is no table, and are no failure. */
void unwind_failures__note(struct unwind_failures *failures, const char *path, int code);

/* The next one in words, its name in quotes; false: there is none that was not taken. */
bool unwind_failures__take(struct unwind_failures *failures, char *text, size_t size);

#endif
