/* SPDX-License-Identifier: GPL-2.0-only */
/* The program's own standard streams, from its first line to its last. */
#ifndef TOPSTACKS_BASE_OUTPUT_OUTPUT_H
#define TOPSTACKS_BASE_OUTPUT_OUTPUT_H

#include "base/error.h"

/*
 * First thing in main: a descriptor of 0 to 2 that is closed is taken by /dev/null, read-only, so
 * that no file of ours gets its number; a closed pipe makes writes fail instead of killing us.
 */
void output__prepare(void);

/*
 * Last thing in main: flushes and closes standard output. 0: it took everything, or its reader went
 * away, which is not our failure. Else a negative errno with err filled.
 */
int output__finish(struct error *err);

/* "topstacks: TEXT" and a newline to standard error, in one write. */
void output__print_error(const struct error *err);

#endif
