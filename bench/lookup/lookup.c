// SPDX-License-Identifier: GPL-2.0-only
/*
 * lookup FILE [ADDRESS...]: names addresses of a program as topstacks does, in a process that maps
 * the file as a program would: this one. Prints a name each, and on standard error, as JSON, what
 * the first one took, how many a second follow, and what memory they take. Without addresses, they
 * are read from standard input, and named once, so that each run executes the same instructions.
 */
#include <elf.h>
#include <errno.h>
#include <error.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "processes/procfs.h"
#include "readers/readers.h"
#include "run/helpers.h"
#include "symbols/symbols.h"

#define STEADY_NS      500000000ULL
#define MAX_ADDRESSES  1000000
#define MAX_SEGMENTS   64
#define MAX_BYTES      (1UL << 32) /* of symbols: a bound is another question */
#define RESERVED_BYTES (1UL << 31) /* more than the addresses of any program */

static uint64_t now_ns(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (uint64_t)time.tv_sec * 1000000000ULL + (uint64_t)time.tv_nsec;
}

static void read_headers(int fd, Elf64_Ehdr *header, Elf64_Phdr segments[MAX_SEGMENTS])
{
	const size_t bytes = MAX_SEGMENTS * sizeof(*segments);

	memset(segments, 0, bytes);
	if (pread(fd, header, sizeof(*header), 0) != sizeof(*header) ||
	    header->e_phnum > MAX_SEGMENTS ||
	    pread(fd, segments, bytes, (off_t)header->e_phoff) < 0)
		error(2, errno, "cannot read the file");
}

/* Maps the code as a program loader does; returns what to add to an address of the file. */
static uint64_t map_code(const char *path)
{
	const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf64_Phdr segments[MAX_SEGMENTS];
	Elf64_Ehdr header;
	char *base;

	if (fd < 0)
		error(2, errno, "%s", path);
	read_headers(fd, &header, segments);
	base = mmap(NULL, RESERVED_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
		    -1, 0);
	for (int i = 0; base != MAP_FAILED && i < header.e_phnum; i++) {
		const Elf64_Phdr *segment = &segments[i];
		const uint64_t slack = segment->p_offset % page;

		if (segment->p_type == PT_LOAD && (segment->p_flags & PF_X) &&
		    mmap(base + segment->p_vaddr - slack, segment->p_filesz + slack,
			 PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, fd,
			 (off_t)(segment->p_offset - slack)) == MAP_FAILED)
			error(2, errno, "cannot map %s", path);
	}
	if (base == MAP_FAILED)
		error(2, errno, "cannot reserve addresses");
	close(fd);
	return (uint64_t)(uintptr_t)base;
}

static uint64_t own_start_ns(void)
{
	uint64_t ticks = 0;
	const int process = procfs__open_born(getpid(), &ticks);

	if (process < 0)
		error(1, -process, "cannot read /proc/self/stat");
	close(process);
	return ticks * (1000000000ULL / (uint64_t)sysconf(_SC_CLK_TCK));
}

static double lookups_per_s(struct symbols *symbols, struct image *image, const uint64_t *addresses,
			    size_t nr)
{
	const uint64_t start = now_ns(CLOCK_THREAD_CPUTIME_ID);
	struct frame frame;
	uint64_t ns = 0, nr_done = 0;

	while (ns < STEADY_NS) {
		for (size_t i = 0; i < nr; i++)
			symbols__resolve(symbols, image, addresses[i], false, &frame);
		nr_done += nr;
		ns = now_ns(CLOCK_THREAD_CPUTIME_ID) - start;
	}
	return (double)nr_done * 1e9 / (double)ns;
}

static size_t read_addresses(uint64_t *addresses)
{
	size_t nr = 0;

	while (nr < MAX_ADDRESSES && scanf("%" SCNx64, &addresses[nr]) == 1)
		nr++;
	return nr;
}

int main(int argc, char **argv)
{
	uint64_t *addresses = calloc(MAX_ADDRESSES, sizeof(*addresses));
	struct process process = {.pid = getpid(), .start_ns = own_start_ns()};
	const bool again = argc > 3; /* at least two: how many a second */
	struct symbols_options options = {.max_bytes = MAX_BYTES};
	struct helpers helpers = {0};
	uint64_t bias, wall_ns, cpu_ns;
	struct symbols *symbols;
	struct image *image;
	struct frame frame;
	size_t nr = 0;

	if (argc < 2 || argc - 2 > MAX_ADDRESSES || !addresses)
		error(2, 0, "usage: lookup FILE [ADDRESS...]");
	for (int i = 2; i < argc; i++)
		addresses[nr++] = strtoull(argv[i], NULL, 16);
	if (argc == 2)
		nr = read_addresses(addresses);
	if (helpers__start(&helpers, false, NULL) || helpers__await(&helpers, NULL))
		error(1, 0, "cannot start what opens and reads files");
	options.readers = helpers.readers;
	options.openers = helpers.openers;
	bias = map_code(argv[1]);
	for (size_t i = 0; i < nr; i++)
		addresses[i] += bias;

	wall_ns = now_ns(CLOCK_MONOTONIC);
	cpu_ns = now_ns(CLOCK_THREAD_CPUTIME_ID);
	process.seen_ns = wall_ns;
	symbols = symbols__new(&options);
	if (!symbols || symbols__read_process(symbols, process.pid))
		error(1, 0, "cannot read our own mappings");
	image = symbols__image(symbols, &process);
	symbols__resolve(symbols, image, addresses[0], false, &frame);
	wall_ns = now_ns(CLOCK_MONOTONIC) - wall_ns;
	cpu_ns = now_ns(CLOCK_THREAD_CPUTIME_ID) - cpu_ns + readers__cpu_ns(helpers.readers);

	for (size_t i = 0; i < nr; i++) {
		symbols__resolve(symbols, image, addresses[i], false, &frame);
		puts(frame.function ? frame.function : "??");
	}
	fprintf(stderr,
		"{\"first_ms\": %.3f, \"first_cpu_ms\": %.3f, \"bytes\": %zu, "
		"\"lookups_per_s\": %.0f}\n",
		(double)wall_ns / 1e6, (double)cpu_ns / 1e6, symbols__memory_bytes(symbols),
		again ? lookups_per_s(symbols, image, addresses, nr) : 0);
	symbols__free(symbols);
	helpers__stop(&helpers);
	free(addresses);
	return 0;
}
