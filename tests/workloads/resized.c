// SPDX-License-Identifier: GPL-2.0-only
// cflags: -O1 -fno-omit-frame-pointer -fno-builtin
// libs: -lpthread
/*
 * Resizes blocks: one that cannot grow, and is left; one that is resized to nothing; and in four
 * threads, which get each other's old addresses, blocks that move, of which each thread leaves 100
 * of 3,000 bytes.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#define FRAME __attribute__((noipa, noinline))

static void *volatile left[8];
static volatile size_t too_much = PTRDIFF_MAX, nothing;

FRAME static void by_failed(void)
{
	left[0] = malloc(700000);
	if (realloc(left[0], too_much) || reallocarray(left[0], too_much, 8))
		abort();
}

FRAME static void by_emptied(void)
{
	left[1] = realloc(malloc(600000), nothing);
}

FRAME static void *by_thread(void *unused)
{
	void *volatile blocks[100] = {0};

	(void)unused;
	for (size_t size = 100; size <= 3000; size += 100)
		for (int i = 0; i < 100; i++)
			blocks[i] = realloc(blocks[i], size);
	return NULL;
}

int main(void)
{
	pthread_t threads[4];

	by_failed();
	by_emptied();
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, by_thread, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
