/* SPDX-License-Identifier: GPL-2.0-only */
/* What becomes of the few blocks that are more than a subtraction. */
#ifndef TOPSTACKS_PRELOAD_SAMPLES_H
#define TOPSTACKS_PRELOAD_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* For a block, or NULL, that gaps__pass() did not let by: tells of it if it is a sample. errno stays. */
void samples__look_at(void *block, size_t size);

/* How many blocks of the process were told of, in any of its threads. Each is told with its number, from 1 on. */
uint64_t samples__nr_told(void);

#endif
