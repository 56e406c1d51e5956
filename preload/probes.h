/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is told to whoever listens: a function that does nothing but pass a one-byte instruction, where the kernel can
 * put a probe. Notes in the file (USDT's) say where it is and which registers hold the arguments.
 *
 * alloc and free are those of OpenTelemetry's contract for memory profiles, provider otel_memory.
 */
#ifndef TOPSTACKS_PRELOAD_PROBES_H
#define TOPSTACKS_PRELOAD_PROBES_H

#include <stdint.h>

/* Provider topstacks: once for each program that a process executes, at the first block. Forks do not tell. */
void topstacks_begins(void);

/*
 * A sampled block, of size bytes; weight: the bytes that it stands for. The rest is not in the contract, and beyond what
 * its readers look at. since: bytes that the thread has allocated since its last sample. Sums of that are exact, and
 * sums of weights can be held against them. number: of the block among those that the process tells of, from 1 on.
 */
void topstacks_alloc_fired(void *block, uint64_t size, uint64_t weight, uint64_t since,
			   uint64_t number);

/* Provider topstacks: a thread exits with its process, and has allocated so many bytes since its last sample. */
void topstacks_ends(uint64_t since);

/*
 * A sampled block that is about to be freed, or that realloc() has just freed, so that its address may be another's
 * already. nr_told, not in the contract either: one with a greater number is not meant.
 */
void topstacks_free_fired(void *block, uint64_t nr_told);

#endif
