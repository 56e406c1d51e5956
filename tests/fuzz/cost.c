// SPDX-License-Identifier: GPL-2.0-only
/*
 * Bounds the cost of an input, around every target: memory and CPU time must stay linear in its
 * size. The linker puts it there (--wrap), and the sanitizer's allocator tells of memory.
 */
#include <sanitizer/allocator_interface.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* These bounds are for sanitized code, which is some 20 times slower and larger than ours. */
#define FREE_BYTES     (96U << 20) /* a decoder of xz has 65 MiB */
#define BYTES_PER_BYTE 300
#define FREE_NS	       1000000000ULL
#define NS_PER_BYTE    5000
#define TRIES	       3 /* others may use the CPU's caches, too */

int __real_LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int __wrap_LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/*
 * The allocator's hooks have no context. The fuzzer's own threads allocate, too, and free memory
 * that is older than the input: each thread counts for itself, and may be left with less than it
 * began with.
 */
static _Thread_local long long held_bytes, peak_bytes;

static void note_malloc(const volatile void *bytes, size_t nr_bytes)
{
	(void)bytes;
	held_bytes += (long long)nr_bytes;
	if (held_bytes > peak_bytes)
		peak_bytes = held_bytes;
}

static void note_free(const volatile void *bytes)
{
	if (bytes)
		held_bytes -= (long long)__sanitizer_get_allocated_size(bytes);
}

static uint64_t cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void require(const char *what, uint64_t cost, uint64_t most, size_t size)
{
	if (cost <= most)
		return;
	fprintf(stderr, "%zu bytes of input cost %llu %s, and %llu is the most\n", size,
		(unsigned long long)cost, what, (unsigned long long)most);
	abort();
}

static uint64_t run(const uint8_t *data, size_t size, int *result)
{
	const uint64_t begin_ns = cpu_ns();

	*result = __real_LLVMFuzzerTestOneInput(data, size);
	return cpu_ns() - begin_ns;
}

int __wrap_LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint64_t most_ns = FREE_NS + NS_PER_BYTE * (uint64_t)size;
	static int installed;
	uint64_t ns;
	int result;

	if (!installed)
		installed = __sanitizer_install_malloc_and_free_hooks(note_malloc, note_free);
	held_bytes = peak_bytes = 0;
	ns = run(data, size, &result);
	require("bytes of memory", (uint64_t)peak_bytes,
		FREE_BYTES + BYTES_PER_BYTE * (uint64_t)size, size);
	for (int i = 1; i < TRIES && ns > most_ns; i++)
		ns = run(data, size, &result);
	require("ns of CPU time", ns, most_ns, size);
	return result;
}
