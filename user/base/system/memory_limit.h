/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A limit on the whole memory of the process. Readers of untrusted files account for the memory
 * that they use; this limit covers what the account misses, as allocations beyond it fail.
 */
#ifndef TOPSTACKS_BASE_SYSTEM_MEMORY_LIMIT_H
#define TOPSTACKS_BASE_SYSTEM_MEMORY_LIMIT_H

#include "base/common.h"

/* Allows the process that many more bytes from now on. Best effort. */
void memory_limit__set(uint64_t bytes);

/* Appends advice to an error if code is -ENOMEM. Returns code. */
int memory_limit__explain(int code, struct error *err);

#endif
