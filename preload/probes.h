/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reports to listeners: each function only executes a one-byte instruction, where the kernel can
 * put a probe. USDT notes in the file tell its address and the registers of the arguments.
 *
 * alloc and free are those of OpenTelemetry's contract for memory profiles, provider otel_memory.
 */
#ifndef TOPSTACKS_PRELOAD_PROBES_H
#define TOPSTACKS_PRELOAD_PROBES_H

#include <stdint.h>

/*
 * Provider topstacks: fires once for each program that a process executes, at its first block; not
 * after a fork.
 */
void topstacks_begins(void);

/*
 * A sampled block of size bytes; weight: the bytes that it stands for. The other arguments extend
 * the contract, and its readers ignore them. since: bytes that the thread has allocated since its
 * last sample; sums of that are exact, so sums of weights can be checked. number: of the block
 * among those that the process reports, from 1.
 */
void topstacks_alloc_fired(void *block, uint64_t size, uint64_t weight, uint64_t since,
			   uint64_t number);

/*
 * Provider topstacks: a thread exits with its process, and has allocated this many bytes since its
 * last sample.
 */
void topstacks_ends(uint64_t since);

/*
 * A sampled block is about to be freed, or realloc() has just freed it, so its address may be
 * another block's already. nr_told, an extension too: a block with a greater number is not meant.
 */
void topstacks_free_fired(void *block, uint64_t nr_told);

#endif
