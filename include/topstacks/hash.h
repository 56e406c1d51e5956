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
 * Returns one term of a hash that is a sum. The sum depends on all words if each has another
 * number, and the CPU can compute the terms in parallel. Equal sums can be constructed: use it only
 * where a collision gains an attacker nothing.
 */
static inline __attribute__((always_inline)) __u64 hash_term(__u32 number, __u64 word)
{
	return word * (HASH_SEED + 2 * HASH_CHECK_SEED * number);
}

/*
 * Returns the image of a process: a hash of its global id, its start and its exec id. 0 only for
 * the idle tasks, which all have process id 0. It is also the instance, unless owners are told.
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
 * Returns the instance of a process when owners are told: one for each owner that an image had. 0
 * only for the idle tasks.
 */
static inline __attribute__((always_inline)) __u64 hash_owned(__u64 image, __u64 owner)
{
	const __u64 hash = hash_check_word(image, owner);

	if (!image)
		return 0;
	return hash ? hash : 1;
}

/*
 * Returns the instance of a thread: a hash of the process's instance and the thread's global id.
 * Never 0.
 */
static inline __attribute__((always_inline)) __u64 hash_thread(__u64 process, __u32 tid)
{
	const __u64 hash = hash_check_word(process, tid);

	return hash ? hash : 1;
}

#endif
