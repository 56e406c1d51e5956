// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files that are mapped in this very process: built once, placed, shown to the program, and given
 * up when others need their room. Where no BPF map may be made there is room for none.
 */
#include "capture/unwinding/internal.h"

#include "capture/host/map_calls.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "expect.h"
#include "processes/maps.h"
#include "topstacks/unwind_abi.h"
#include "unwind/unwind.h"

#define MAX_REGIONS 64

/* Holds all of libc's rows or all of python3's, but not both. */
#define ONE_CHUNK (UNWIND_CHUNK_ENTRIES * sizeof(struct unwind_row))

struct wanted {
	const char *name; /* a part of the path */
	struct mapping mapping;
	char path[4096];
};

static int note_mapping(void *context, const struct mapping *mapping)
{
	struct wanted *wanted = context;

	if (wanted->path[0] || !strstr(mapping->path, wanted->name))
		return 0;
	wanted->mapping = *mapping;
	snprintf(wanted->path, sizeof(wanted->path), "%s", mapping->path);
	wanted->mapping.path = wanted->path;
	return 0;
}

/* The first executable mapping of this process with such a path. */
static bool find_mapping(struct wanted *wanted, const char *name)
{
	int maps;

	*wanted = (struct wanted){.name = name};
	maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	EXPECT(maps >= 0 && !maps__each_executable(maps, note_mapping, wanted));
	close(maps);
	EXPECT(wanted->path[0]);
	return wanted->path[0];
}

static void map_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0); /* find_mapping tells */
	close(fd);
}

/* ---- The program's maps; -1 where BPF is not for us. ---- */

struct maps {
	int chunks, mappings;
};

static struct maps open_maps(void)
{
	LIBBPF_OPTS(bpf_map_create_opts, rows, .map_flags = BPF_F_MMAPABLE);
	LIBBPF_OPTS(bpf_map_create_opts, outer);
	struct maps maps = {-1, -1};
	int inner = bpf_map_create(BPF_MAP_TYPE_ARRAY, "rows", 4, sizeof(struct unwind_row),
				   UNWIND_CHUNK_ENTRIES, &rows);

	if (inner < 0)
		return maps;
	outer.inner_map_fd = (unsigned int)inner;
	maps.chunks = bpf_map_create(BPF_MAP_TYPE_ARRAY_OF_MAPS, "chunks", 4, 4, 256, &outer);
	maps.mappings =
		bpf_map_create(BPF_MAP_TYPE_HASH, "mappings", sizeof(struct unwind_mapping_key),
			       sizeof(struct unwind_mapping), 64, NULL);
	close(inner);
	return maps;
}

static void close_maps(const struct maps *maps)
{
	if (maps->chunks >= 0)
		close(maps->chunks);
	if (maps->mappings >= 0)
		close(maps->mappings);
}

static size_t count_shown(const struct maps *maps)
{
	struct unwind_mapping_key key, *previous = NULL;
	size_t nr = 0;

	while (!bpf_map_get_next_key(maps->mappings, previous, &key)) {
		previous = &key;
		nr++;
	}
	return nr;
}

/* The file behind a mapping, read here if it must be. NULL: there is none. */
static struct unwind_file *get(struct unwind_files *files, const struct wanted *wanted)
{
	const int fd = open(wanted->path, O_RDONLY | O_CLOEXEC);
	struct file_identity identity;
	struct unwind_table *table = NULL;
	struct unwind_file *file;
	bool is_first = false;

	EXPECT_EQ(file__identify(fd, &identity), 0);
	file = unwind_files__get(files, &identity, &is_first);
	EXPECT(file != NULL);
	if (file) {
		EXPECT_EQ(unwind_file__is_pending(file), is_first);
		if (is_first) {
			unwind_table__build(fd, &table);
			unwind_files__settle_file(files, file, table, NULL);
		}
		EXPECT(!unwind_file__is_pending(file));
		unwind_files__show(files, file, &wanted->mapping);
	}
	close(fd);
	return file;
}

/* Whether the file behind a mapping had no room. */
static size_t regions_of(const struct unwind_file *file, const struct mapping *mapping,
			 struct unwind_region *regions, size_t max_regions)
{
	const struct unwind_memory memory = {.start = mapping->start,
					     .end = mapping->end,
					     .mapped = mapping->start,
					     .offset = mapping->offset};

	return unwind_file__regions(file, &memory, regions, max_regions);
}

static bool has_no_room(struct unwind_files *files, const struct wanted *wanted)
{
	struct unwind_file *file = get(files, wanted);
	struct unwind_region regions[MAX_REGIONS];
	bool no_room;

	if (!file)
		return false;
	EXPECT(regions_of(file, &wanted->mapping, regions, MAX_REGIONS) >= 1);
	no_room = regions[0].no_room;
	EXPECT_EQ(unwind_file__is_settled(file), !no_room);
	unwind_files__put(files, file);
	return no_room;
}

/* ---- Without the kernel ---- */

static void test_a_file_is_one(void)
{
	struct map_calls calls = {0};
	struct unwind_files *files = unwind_files__new(-1, -1, ONE_CHUNK, &calls, -1, NULL);
	struct unwind_file *file, *again;
	struct wanted libc;

	if (find_mapping(&libc, "/libc.so")) {
		file = get(files, &libc);
		again = get(files, &libc);
		EXPECT(file != NULL);
		EXPECT(file == again);
		EXPECT(has_no_room(files, &libc));
	}
	unwind_files__free(files);
}

/* While it is read it is pending for others, and nothing is said of it. */
static void test_pending(void)
{
	struct map_calls calls = {0};
	struct unwind_files *files = unwind_files__new(-1, -1, ONE_CHUNK, &calls, -1, NULL);
	const struct file_identity identity = {.inode = 7, .nr_bytes = 100};
	const struct mapping mapping = {.start = 0x1000, .end = 0x2000, .inode = 7, .path = "/x"};
	struct unwind_region region;
	struct unwind_file *file, *other;
	bool is_first;

	file = unwind_files__get(files, &identity, &is_first);
	EXPECT(is_first);
	other = unwind_files__get(files, &identity, &is_first);
	EXPECT(!is_first);
	EXPECT(file == other && unwind_file__is_pending(file));
	EXPECT(!unwind_file__is_settled(file));
	EXPECT_EQ(regions_of(file, &mapping, &region, 1), 1);
	EXPECT_EQ(region.nr_rows, 0);
	unwind_files__settle_file(files, file, NULL, NULL);
	EXPECT(!unwind_file__is_pending(other) && unwind_file__is_settled(other));
	unwind_files__put(files, other);
	unwind_files__put(files, file);
	file = unwind_files__get(files, &identity, &is_first);
	EXPECT(!is_first); /* that it has no table is known */
	unwind_files__put(files, file);
	unwind_files__free(files);
}

static void test_not_a_file(void)
{
	const struct mapping anonymous = {.start = 0x1000, .end = 0x2000, .path = ""};
	struct unwind_region region;

	EXPECT(!unwind_file__is_settled(NULL));
	EXPECT_EQ(regions_of(NULL, &anonymous, &region, 1), 1);
	EXPECT_EQ(region.start, 0x1000);
	EXPECT_EQ(region.end, 0x2000);
	EXPECT_EQ(region.nr_rows, 0);
	EXPECT_EQ(region.no_room, 0);
}

/* ---- With it ---- */

static void test_placed_and_shown(void)
{
	struct maps maps = open_maps();
	struct map_calls calls = {0};
	struct unwind_files *files =
		unwind_files__new(maps.chunks, maps.mappings, ONE_CHUNK, &calls, -1, NULL);
	struct unwind_region regions[MAX_REGIONS];
	struct unwind_file *file;
	struct wanted libc;

	if (maps.chunks >= 0 && find_mapping(&libc, "/libc.so")) {
		file = get(files, &libc);
		EXPECT_EQ(regions_of(file, &libc.mapping, regions, MAX_REGIONS), 1);
		EXPECT(regions[0].nr_rows > 1000);
		EXPECT_EQ(regions[0].start, libc.mapping.start);
		EXPECT_EQ(regions[0].end, libc.mapping.end);
		EXPECT_EQ(unwind_files__kernel_bytes(files), ONE_CHUNK);
		EXPECT_EQ(count_shown(&maps), 1);
		EXPECT_EQ(calls.nr, 2); /* a chunk for its rows, and where it is mapped */
		EXPECT(calls.cpu_ns > 0);
		unwind_files__put(files, get(files, &libc));
		EXPECT_EQ(count_shown(&maps), 1);
		unwind_files__put(files, file);
	}
	unwind_files__free(files);
	close_maps(&maps);
}

/* Idle tables go, but first the program must have forgotten them. */
static void test_room_is_made(void)
{
	struct maps maps = open_maps();
	struct map_calls calls = {0};
	uint32_t epoch = 1, shown_epoch, hidden_epoch;
	struct unwind_files *files =
		unwind_files__new(maps.chunks, maps.mappings, ONE_CHUNK, &calls, -1, &epoch);
	struct wanted libc, python;

	if (maps.chunks >= 0 && find_mapping(&libc, "/libc.so") &&
	    find_mapping(&python, "/python3")) {
		EXPECT(!has_no_room(files, &libc));
		EXPECT(has_no_room(files, &python)); /* libc was in use a moment ago */
		EXPECT_EQ(count_shown(&maps), 1);
		shown_epoch = epoch;
		EXPECT(shown_epoch > 1); /* the program may remember another file's place */
		unwind_files__settle(files);
		EXPECT(has_no_room(files, &python)); /* libc is hidden from here on */
		EXPECT_EQ(count_shown(&maps), 0);
		hidden_epoch = epoch;
		EXPECT(hidden_epoch > shown_epoch); /* and not remembered either */
		EXPECT(has_no_room(files, &python));
		unwind_files__settle(files);
		EXPECT_EQ(epoch, hidden_epoch);
		EXPECT(!has_no_room(files, &python));
		EXPECT_EQ(count_shown(&maps), 1);
		EXPECT(epoch >
		       hidden_epoch); /* places among libc's rows cannot be found any more */
	}
	unwind_files__free(files);
	close_maps(&maps);
}

static void test_in_use_stays(void)
{
	struct maps maps = open_maps();
	struct map_calls calls = {0};
	struct unwind_files *files =
		unwind_files__new(maps.chunks, maps.mappings, ONE_CHUNK, &calls, -1, NULL);
	struct wanted libc, python;
	struct unwind_file *file;
	int grace;

	if (maps.chunks >= 0 && find_mapping(&libc, "/libc.so") &&
	    find_mapping(&python, "/python3")) {
		file = get(files, &libc);
		for (grace = 0; grace < 4; grace++) {
			EXPECT(has_no_room(files, &python));
			unwind_files__settle(files);
		}
		EXPECT(!has_no_room(files, &libc));
		unwind_files__put(files, file);
	}
	unwind_files__free(files);
	close_maps(&maps);
}

int main(void)
{
	static const struct test tests[] = {
		{"a file is one", test_a_file_is_one},
		{"a file that is read", test_pending},
		{"what is no file", test_not_a_file},
		{"placed and shown", test_placed_and_shown},
		{"room is made", test_room_is_made},
		{"what is in use stays", test_in_use_stays},
		{0},
	};

	map_file("/usr/bin/python3");
	return run_tests("unwind_files", tests);
}
