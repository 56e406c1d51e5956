/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds libtopstacks-alloc.so, which samples a command's allocations (preload/), and puts it into
 * the command's LD_PRELOAD for the loader. preload_fit.h checks whether the loader obeys.
 */
#ifndef TOPSTACKS_RUN_PRELOAD_PRELOAD_H
#define TOPSTACKS_RUN_PRELOAD_PRELOAD_H

#include <limits.h>

#include "base/common.h"

/*
 * Finds the library: beside our own program, as in the build directory, or where packages install
 * it. 0 or negative errno.
 */
int preload__find(char path[PATH_MAX], struct error *err);

/*
 * Returns a copy of our environment with the library last in LD_PRELOAD, which samples one in
 * mean_bytes. alone: only the command itself is sampled, not the programs that it executes. free()
 * the result; its strings belong to our environment or lie in the same memory.
 */
char **preload__environment(const char *library, uint64_t mean_bytes, bool alone);

#endif
