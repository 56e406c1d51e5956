/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Thread-specific values in glibc's struct pthread. The including file defines how memory is read
 * (unwind_read).
 */
#ifndef TOPSTACKS_KERN_INTERPRETERS_PTHREAD_BPF_H
#define TOPSTACKS_KERN_INTERPRETERS_PTHREAD_BPF_H

#include <bpf/bpf_helpers.h>
#include <stdbool.h>

#include "arch/arch.bpf.h"

#define PTHREAD_KEYS	1024 /* keys of a process; keys of a block: */
#define KEYS_OF_A_BLOCK 32
#define PTHREAD_STEP	16 /* its size is a multiple of this */

/* asleep, here and below: the sleeping task to read from; NULL: the running task (unwind_read). */
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
 * Returns the address of struct pthread; 0: not found. On machines where the struct ends at the
 * thread pointer, its size depends on glibc's version. It is found by its pointer to the first
 * block of values, which is inside the struct.
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

/* Returns the thread's value of a key, like pthread_getspecific(). */
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
