/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A bound on all memory of the process. Who reads files of strangers keeps an account of what they
 * become; this holds whatever the account does not see, since an allocation beyond it fails.
 */
#ifndef TOPSTACKS_BASE_SYSTEM_MEMORY_LIMIT_H
#define TOPSTACKS_BASE_SYSTEM_MEMORY_LIMIT_H

#include <stdint.h>

#include "base/error.h"

/* From now on the process gets at most so many bytes more. Best effort. */
void memory_limit__set(uint64_t bytes);

/* Adds to -ENOMEM what helps. Returns code. */
int memory_limit__explain(int code, struct error *err);

#endif
