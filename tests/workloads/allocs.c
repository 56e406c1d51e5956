// SPDX-License-Identifier: GPL-2.0-only
// cflags: -O1 -fno-omit-frame-pointer -fno-builtin
// libs: -lpthread
/*
 * allocs SEED BLOCKS KEEP [alone|threads|children [FILE]]: asks for BLOCKS blocks at each of six
 * places, of sizes by chance, keeps one in KEEP of them (0: none), and frees the others. It writes
 * how many there were at each place, as JSON, to FILE. With "threads" two threads do that, each at
 * three places. With "children" a child does it, too, and writes nothing.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define FRAME __attribute__((noipa, noinline))

struct allocating {
	const char *name;
	void *(*allocate)(size_t size);
	size_t least, most; /* bytes */
	unsigned long bytes, blocks, kept_bytes, kept_blocks;
};

static void *volatile kept[1 << 20];
static size_t nr_kept;

/*
 * Defines a place. The block goes through memory, so that no jump can take the place of the call.
 */
#define PLACE(name, call)                      \
	FRAME static void *name(size_t size)   \
	{                                      \
		void *volatile block = (call); \
                                               \
		return block;                  \
	}

PLACE(by_malloc, malloc(size))
PLACE(by_calloc, calloc(2, size / 2))
PLACE(by_large_malloc, malloc(size))

FRAME static void *by_realloc(size_t size)
{
	void *volatile block = realloc(NULL, size);

	return block;
}

FRAME static void *by_posix_memalign(size_t size)
{
	void *block = NULL;

	if (posix_memalign(&block, 64, size))
		abort();
	return block;
}

PLACE(by_aligned_alloc, aligned_alloc(32, size))

static struct allocating places[] = {
	{.name = "by_malloc", by_malloc, 16, 256},
	{.name = "by_calloc", by_calloc, 100, 5000},
	{.name = "by_realloc", by_realloc, 1000, 40000},
	{.name = "by_posix_memalign", by_posix_memalign, 20000, 300000},
	{.name = "by_aligned_alloc", by_aligned_alloc, 64, 2048},
	{.name = "by_large_malloc", by_large_malloc, 500000, 3000000},
};

#define NR_PLACES (sizeof(places) / sizeof(places[0]))

static unsigned long seed, nr_blocks, keep;

static uint64_t chance(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	return *state ^= *state << 17;
}

/* Allocates at a place. Large blocks are fewer. */
FRAME static void use_place(struct allocating *place, uint64_t *state)
{
	const unsigned long nr = place->most > 400000 ? nr_blocks / 50 + 1 : nr_blocks;

	for (unsigned long i = 0; i < nr; i++) {
		const size_t size =
			(place->least + chance(state) % (place->most - place->least)) / 32 * 32 +
			32;
		void *block = place->allocate(size);

		place->bytes += size;
		place->blocks++;
		if (!keep || i % keep) {
			free(block);
			continue;
		}
		kept[__atomic_fetch_add(&nr_kept, 1, __ATOMIC_RELAXED)] = block;
		place->kept_bytes += size;
		place->kept_blocks++;
	}
}

/* Uses the places from the first one on, each or every second one. */
static void use_places(size_t first, size_t step)
{
	uint64_t state = seed * 0x9e3779b97f4a7c15ULL + first + 1;

	for (size_t i = first; i < NR_PLACES; i += step)
		use_place(&places[i], &state);
}

static void *in_thread(void *first)
{
	use_places((size_t)(uintptr_t)first, 2);
	return NULL;
}

static void use_threads(void)
{
	pthread_t threads[2];

	for (uintptr_t i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, in_thread, (void *)i);
	for (size_t i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
}

int main(int argc, char **argv)
{
	char line[1024], *at = line;

	if (argc < 4)
		return 2;
	seed = strtoul(argv[1], NULL, 10);
	nr_blocks = strtoul(argv[2], NULL, 10);
	keep = strtoul(argv[3], NULL, 10);
	if (argc > 4 && !strcmp(argv[4], "children") && !fork()) {
		use_places(0, 1);
		_exit(0);
	}
	if (argc > 4 && !strcmp(argv[4], "threads"))
		use_threads();
	else
		use_places(0, 1);
	if (argc > 4 && !strcmp(argv[4], "children"))
		wait(NULL);
	at += snprintf(at, 64, "{\"pid\": %d", getpid());
	for (size_t i = 0; i < NR_PLACES; i++)
		at += snprintf(at, 160, ", \"%s\": [%lu, %lu, %lu, %lu]", places[i].name,
			       places[i].bytes, places[i].blocks, places[i].kept_bytes,
			       places[i].kept_blocks);
	at += snprintf(at, 4, "}\n");
	return write(argc > 5 ? creat(argv[5], 0644) : 1, line, (size_t)(at - line)) != at - line;
}
