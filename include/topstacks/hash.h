/* SPDX-License-Identifier: GPL-2.0-only */
/* Hashes over 64-bit words. Pure; its unit test compiles it natively. */
#ifndef TOPSTACKS_HASH_H
#define TOPSTACKS_HASH_H

#include <linux/types.h>

#define HASH_SEED	0x9e3779b97f4a7c15ULL /* 2^64 / golden ratio */
#define HASH_CHECK_SEED 0xc2b2ae3d27d4eb4fULL

/* One multiplication a word; the shift carries high bits back to where the next product starts. */
static inline __attribute__((always_inline)) __u64 hash_word(__u64 hash, __u64 word)
{
	hash = (hash ^ word) * 0xff51afd7ed558ccdULL;
	return hash ^ (hash >> 32);
}

/* A second hash that does not collide where the first does: other factor, sum in place of xor. */
static inline __attribute__((always_inline)) __u64 hash_check_word(__u64 hash, __u64 word)
{
	hash = (hash + word) * 0xd6e8feb86659fd93ULL;
	return hash ^ (hash >> 29);
}

/*
 * Sums of such terms, each with another number, depend on all words without one multiplication waiting for another.
 * Only for what nobody gains by making equal: sums that are can be found.
 */
static inline __attribute__((always_inline)) __u64 hash_term(__u32 number, __u64 word)
{
	return word * (HASH_SEED + 2 * HASH_CHECK_SEED * number);
}

/*
 * The image of a process: of its global id, its start and its exec id. Never 0 but for the idle tasks,
 * which all have process id 0. It is the instance, too, unless owners are told.
 */
static inline __attribute__((always_inline)) __u64 hash_process(__u32 tgid, __u64 start_ns,
								__u64 exec_id)
{
	__u64 hash = HASH_SEED;

	if (tgid == 0)
		return 0;
	hash = hash_word(hash, tgid);
	hash = hash_word(hash, start_ns);
	hash = hash_word(hash, exec_id);
	return hash ? hash : 1;
}

/*
 * The instance of a process whose owner is told: the image that hash_process() makes is another one for each owner
 * that it has. Never 0 but for the idle tasks.
 */
static inline __attribute__((always_inline)) __u64 hash_owned(__u64 image, __u64 owner)
{
	const __u64 hash = hash_check_word(image, owner);

	if (!image)
		return 0;
	return hash ? hash : 1;
}

/* The instance of a thread of a process: of the process's, and the thread's global id. Never 0. */
static inline __attribute__((always_inline)) __u64 hash_thread(__u64 process, __u32 tid)
{
	const __u64 hash = hash_check_word(process, tid);

	return hash ? hash : 1;
}

#endif
