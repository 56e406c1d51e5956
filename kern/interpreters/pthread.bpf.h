/* SPDX-License-Identifier: GPL-2.0-only */
/* What a thread keeps for itself, in glibc's struct pthread. Who includes this says how memory is read (unwind_read). */
#ifndef TOPSTACKS_KERN_INTERPRETERS_PTHREAD_BPF_H
#define TOPSTACKS_KERN_INTERPRETERS_PTHREAD_BPF_H

#include <bpf/bpf_helpers.h>
#include <stdbool.h>

#include "arch/arch.bpf.h"

#define PTHREAD_KEYS	1024 /* of a process; of a block of them: */
#define KEYS_OF_A_BLOCK 32
#define PTHREAD_STEP	16 /* its size is a multiple of this */

/* asleep, here and below: NULL, of the running task; else the task (unwind_read). */
static __always_inline bool read_target(void *asleep, void *to, __u32 nr_bytes, __u64 from)
{
	return !unwind_read(asleep, from, to, nr_bytes);
}

static __always_inline __u64 read_word(void *asleep, __u64 from)
{
	__u64 word;

	return read_target(asleep, &word, sizeof(word), from) ? word : 0;
}

/*
 * struct pthread; 0: nobody knows where. Where it ends at the thread pointer, and its size is the version's, it is where the
 * place of the first block of keys' values has that block's address.
 */
static __always_inline __u64 find_pthread(struct task_struct *task, void *asleep)
{
	const __u64 pointer = arch__thread_pointer(task);
#if ARCH_PTHREAD_MAX_BYTES
	__u32 nr_bytes;

	if (!pointer)
		return 0;
	for (nr_bytes = ARCH_PTHREAD_BYTES; nr_bytes < ARCH_PTHREAD_MAX_BYTES;
	     nr_bytes += PTHREAD_STEP) {
		const __u64 thread = pointer - nr_bytes;

		if (read_word(asleep, thread + ARCH_PTHREAD_BLOCKS) ==
		    thread + ARCH_PTHREAD_FIRST_BLOCK)
			return thread;
	}
	return 0;
#else
	(void)asleep;
	return pointer;
#endif
}

/* What pthread_getspecific() gives the thread. */
static __always_inline __u64 read_thread_value(void *asleep, __u64 key_at)
{
	struct task_struct *task = asleep ? asleep : current_task();
	const __u64 thread = find_pthread(task, asleep);
	__u64 block;
	__u32 key = 0;

	if (!thread || !read_target(asleep, &key, sizeof(key), key_at) || key >= PTHREAD_KEYS)
		return 0;
	block = key < KEYS_OF_A_BLOCK ? thread + ARCH_PTHREAD_FIRST_BLOCK
				      : read_word(asleep, thread + ARCH_PTHREAD_BLOCKS +
								  8 * (key / KEYS_OF_A_BLOCK));
	return block ? read_word(asleep, block + 16 * (key % KEYS_OF_A_BLOCK) + 8) : 0;
}

#endif
