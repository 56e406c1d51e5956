// SPDX-License-Identifier: GPL-2.0-only
// cflags: -O1 -fno-omit-frame-pointer
/*
 * growth MAPS: asks the kernel for memory in each way, MAPS times, and prints how much it was.
 * map_memory maps memory of growing sizes, and touch_memory touches the first two pages of each.
 * reserve maps as much that cannot be written to, and map_file as much of a file. move_break moves
 * the end of the heap on by a page, and ask_break only asks for it.
 */
#include "workload.h"

#include <fcntl.h>
#include <sys/mman.h>

#define PAGE_BYTES 4096

static inline __attribute__((always_inline)) char *map(size_t bytes, int prot, int flags, int fd)
{
	const long place = raw_syscall6(SYS_mmap, 0, (long)bytes, prot, flags, fd, 0);

	if (place < 0 && place > -PAGE_BYTES)
		exit(1);
	return (char *)place;
}

/*
 * Returns the size of a mapping. Each has a size of its own: 2 pages and a byte, 3 pages and a
 * byte...
 */
static size_t bytes_of(size_t n)
{
	return (n + 2) * PAGE_BYTES + 1;
}

static FRAME size_t map_memory(char **maps, size_t nr_maps)
{
	size_t n, bytes = 0;

	for (n = 0; n < nr_maps; n++) {
		bytes += bytes_of(n);
		maps[n] = map(bytes_of(n), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
		raw_syscall(SYS_madvise, (long)maps[n], (long)bytes_of(n), MADV_NOHUGEPAGE);
	}
	KEEP_FRAME();
	return bytes;
}

static FRAME void touch_memory(char **maps, size_t nr_maps)
{
	size_t n;

	for (n = 0; n < nr_maps; n++)
		*(volatile char *)maps[n] = *(volatile char *)(maps[n] + PAGE_BYTES) = 1;
	KEEP_FRAME();
}

static FRAME void reserve(size_t nr_maps)
{
	size_t n;

	for (n = 0; n < nr_maps; n++)
		map(bytes_of(n), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
	KEEP_FRAME();
}

static FRAME void map_file(size_t nr_maps, int file)
{
	size_t n;

	for (n = 0; n < nr_maps; n++)
		map(bytes_of(n), PROT_READ | PROT_WRITE, MAP_PRIVATE, file);
	KEEP_FRAME();
}

static FRAME void move_break(size_t nr_moves, long end)
{
	size_t n;

	for (n = 1; n <= nr_moves; n++)
		raw_syscall(SYS_brk, end + (long)n * PAGE_BYTES, 0, 0);
	KEEP_FRAME();
}

static FRAME long ask_break(size_t nr_questions)
{
	long end = 0;

	for (; nr_questions; nr_questions--)
		end = raw_syscall(SYS_brk, 0, 0, 0);
	KEEP_FRAME();
	return end;
}

int main(int argc, char **argv)
{
	const size_t nr_maps = (size_t)argument(argc, argv, 1, 100);
	char **maps = calloc(nr_maps, sizeof(*maps));
	const int file = open("/proc/self/exe", O_RDONLY);
	size_t bytes;

	if (!maps || file < 0)
		return 1;
	workload_begin(WORKLOAD_MAX_SECONDS);
	bytes = map_memory(maps, nr_maps);
	touch_memory(maps, nr_maps);
	reserve(nr_maps);
	map_file(nr_maps, file);
	move_break(nr_maps, ask_break(nr_maps));
	printf("{\"maps\": %zu, \"bytes\": %zu}\n", nr_maps, bytes);
	return 0;
}
