/* SPDX-License-Identifier: GPL-2.0-only */
/* The program's own standard streams, from its first line to its last. */
#ifndef TOPSTACKS_BASE_OUTPUT_OUTPUT_H
#define TOPSTACKS_BASE_OUTPUT_OUTPUT_H

#include "base/common.h"

/*
 * Call this first in main(): opens /dev/null read-only for closed descriptors of 0 to 2, so that
 * none of our files gets such a number, and makes writes to a closed pipe fail instead of killing
 * us.
 */
void output__prepare(void);

/*
 * Call this last in main(): flushes and closes standard output. 0: all was written, or the reader
 * closed the pipe, which is no failure of ours. Else a negative errno with err filled.
 */
int output__finish(struct error *err);

/* Prints "topstacks: TEXT" and a newline to standard error, in one write. */
void output__print_error(const struct error *err);

#endif
