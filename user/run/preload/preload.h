/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How a command gets libtopstacks-alloc.so, which samples what it allocates (preload/): its loader takes it, as
 * LD_PRELOAD says. Whether it does is for preload_fit.h.
 */
#ifndef TOPSTACKS_RUN_PRELOAD_PRELOAD_H
#define TOPSTACKS_RUN_PRELOAD_PRELOAD_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* Where the library is: beside our own program, as it is built, or where packages put it. 0 or negative errno. */
int preload__find(char path[PATH_MAX], struct error *err);

/*
 * Our environment, in which the library comes last in LD_PRELOAD and samples one of mean_bytes; alone: not in what
 * the command executes. free() it; its strings are those of our environment, or in the same memory. NULL: out of memory.
 */
char **preload__environment(const char *library, uint64_t mean_bytes, bool alone);

#endif
