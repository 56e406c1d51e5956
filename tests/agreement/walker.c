// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints the stacks that topstacks finds in a stopped process, to be compared with a debugger's:
 *
 *	walker PID < REGISTERS		55d0c1a4 7ffe10 7ffe40		pc, sp, fp
 *					whole 55d0c1a4 spin 55d0c20f main ...
 *
 * Tables, walk, names and the verdict are the product's. At a line "maps" the program reads the
 * mappings again.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "capture/kernel/raw_stacks.h"
#include "kernel_walk.h"
#include "processes/maps.h"
#include "profile/dictionary.h"
#include "readers/readers.h"
#include "run/symbolizer.h"
#include "symbols/symbols.h"
#include "unwind/unwind.h"

#define MAX_CHUNKS 64
#define NAMING_MS  5000

struct known_file {
	char *path;
	struct unwind_table *table;	    /* NULL: it has none */
	struct unwind_placement *placement; /* likewise */
};

struct walker {
	pid_t pid;
	struct unwind_space space;
	struct unwind_row *chunks[MAX_CHUNKS];
	struct known_file *files;
	size_t nr_files, files_capacity;
	struct unwind_region *regions;
	size_t nr_regions, regions_capacity;
	struct process process;
	struct symbols *symbols;
	struct dictionary *dictionary;
	struct symbolizer *symbolizer;
	uint64_t nr_stacks;
};

/* ---- tables ---- */

static struct unwind_row *new_chunk(void *context, uint32_t chunk)
{
	struct walker *walker = context;

	if (chunk >= MAX_CHUNKS)
		return NULL;
	return walker->chunks[chunk] = calloc(UNWIND_CHUNK_ENTRIES, sizeof(struct unwind_row));
}

static void read_file(struct walker *walker, struct known_file *file, int fd)
{
	if (fd < 0 || unwind_table__build(fd, &file->table))
		return;
	if (unwind_space__add(&walker->space, file->table, &file->placement)) {
		fprintf(stderr, "walker: no room for %s\n", file->path);
		exit(2);
	}
}

static const struct known_file *file_of(struct walker *walker, const struct mapping *mapping)
{
	struct known_file *file;
	char path[64];
	int fd = -1;

	for (size_t i = 0; i < walker->nr_files; i++)
		if (!strcmp(walker->files[i].path, mapping->path))
			return &walker->files[i];
	array__reserve(&walker->files, &walker->files_capacity, walker->nr_files + 1);
	file = &walker->files[walker->nr_files++];
	*file = (struct known_file){.path = strdup(mapping->path)};
	snprintf(path, sizeof(path), "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, (int)walker->pid,
		 mapping->start, mapping->end);
	if (mapping__kind(mapping) == MAPPING_VDSO)
		fd = vdso__open();
	else if (mapping__kind(mapping) == MAPPING_FILE)
		fd = open(path, O_RDONLY | O_CLOEXEC);
	read_file(walker, file, fd);
	if (fd >= 0)
		close(fd);
	return file;
}

static int add_mapping(void *context, const struct mapping *mapping)
{
	struct walker *walker = context;
	const struct known_file *file = file_of(walker, mapping);

	if (mapping->start >> 63)
		return 0;
	array__reserve(&walker->regions, &walker->regions_capacity,
		       walker->nr_regions + UNWIND_MAX_SHARDS + 1);
	walker->nr_regions += unwind_placement__regions(
		file->placement, file->table,
		&(struct unwind_memory){mapping->start, mapping->end, mapping->start,
					mapping->offset},
		walker->regions + walker->nr_regions, UNWIND_MAX_SHARDS + 1);
	return 0;
}

static void read_mappings(struct walker *walker)
{
	char path[32];
	int text;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)walker->pid);
	text = open(path, O_RDONLY | O_CLOEXEC);
	walker->nr_regions = 0;
	if (text < 0 || maps__each_executable(text, add_mapping, walker) ||
	    symbols__read_process(walker->symbols, walker->pid)) {
		perror(path);
		exit(2);
	}
	close(text);
}

/* ---- stacks ---- */

/*
 * Makes a new stack with a new id each time, so that names that were missing are looked up again.
 */
static struct raw_stack *stack_of(struct walker *walker, const struct spilled_stack *walked)
{
	const size_t nr_bytes = walked->nr_frames * sizeof(walked->words[0]);
	struct raw_stack *stack = malloc(sizeof(*stack) + nr_bytes);

	if (!stack)
		abort();
	*stack = (struct raw_stack){.id = ++walker->nr_stacks,
				    .end = stack_end__of_walk(walked),
				    .nr_frames = walked->nr_frames};
	memcpy(stack->words, walked->words, nr_bytes);
	return stack;
}

static void name(struct walker *walker, const struct spilled_stack *walked,
		 struct symbolized_stack *named)
{
	struct raw_sample sample = {.process = &walker->process, .missing = -1, .count = 1};

	for (int waited_ms = 0; waited_ms < NAMING_MS; waited_ms++) {
		struct raw_stack *stack = stack_of(walker, walked);

		sample.user = stack;
		walker->process.seen_ns = monotonic_ns();
		symbolizer__name(walker->symbolizer, &sample, named);
		free(stack);
		if (named->unread != -EINPROGRESS)
			return;
		usleep(1000);
	}
	fprintf(stderr, "walker: names are missing\n");
}

static const char *verdict(const struct symbolized_stack *named)
{
	static const char *const words[] = {
		[STACK_WHOLE] = "whole",
		[STACK_UNVERIFIED] = "unverified",
		[STACK_EARLY] = "unverified",
		[STACK_TRUNCATED] = "truncated",
	};

	return words[named->quality];
}

static void print_walk(struct walker *walker, const struct unwind_registers *from)
{
	const struct kernel_maps maps = {
		.regions = walker->regions,
		.nr_regions = walker->nr_regions,
		.chunks = walker->chunks,
		.nr_chunks = MAX_CHUNKS,
	};
	const struct spilled_stack *walked = kernel_walk(walker->pid, &maps, from);
	struct symbolized_stack named;
	const uint32_t *frames;
	size_t nr_frames;

	if (!walked) {
		puts("missing");
		return;
	}
	name(walker, walked, &named);
	frames = dictionary__stack(walker->dictionary, named.stack, &nr_frames);
	fputs(verdict(&named), stdout);
	for (size_t i = 0; i < nr_frames; i++)
		printf("\t%llx\t%s", walked->words[i],
		       dictionary__frame_name(walker->dictionary, frames[i]));
	putchar('\n');
}

int main(int argc, char **argv)
{
	struct symbols_options options = {.demangle = true};
	struct walker walker = {.pid = argc == 2 ? atoi(argv[1]) : 0};
	struct unwind_registers from;
	char line[256];

	if (walker.pid <= 0 || readers__start(&options.readers, jobs__find)) {
		fprintf(stderr, "usage: walker PID < REGISTERS\n");
		return 2;
	}
	walker.space = (struct unwind_space){
		.max_bytes = SIZE_MAX, .new_chunk = new_chunk, .context = &walker};
	walker.process = (struct process){.instance = 1, .pid = walker.pid};
	walker.symbols = symbols__new(&options);
	walker.dictionary = dictionary__new();
	walker.symbolizer = symbolizer__new(walker.symbols, walker.dictionary, ABI_MAX_DEPTH);
	read_mappings(&walker);
	setlinebuf(stdout);
	while (fgets(line, sizeof(line), stdin)) {
		from = (struct unwind_registers){0};
		if (sscanf(line, "%llx %llx %llx", &from.pc, &from.sp, &from.fp) == 3)
			print_walk(&walker, &from);
		else
			read_mappings(&walker);
	}
	readers__stop(options.readers);
	return 0;
}
