/* SPDX-License-Identifier: GPL-2.0-only */
/* The rare path for blocks that may be samples. */
#ifndef TOPSTACKS_PRELOAD_SAMPLES_H
#define TOPSTACKS_PRELOAD_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reports a block (or NULL) that gaps__pass() did not let pass if it is a sample. Keeps errno. */
void samples__look_at(void *block, size_t size);

/*
 * Number of blocks that all threads of the process have reported. Each is reported with its number,
 * from 1.
 */
uint64_t samples__nr_told(void);

#endif
