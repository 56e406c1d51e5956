// SPDX-License-Identifier: GPL-2.0-only
/* Mappings over mappings, against one byte per page. */
#include "processes/mappings.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "expect.h"
#include "processes/mapped_files.h"

static struct mapped_files all_files, *files = &all_files;
static struct mappings *mappings;

static void begin(void)
{
	mapped_files__init(files, NULL);
	mappings = mappings__new(files);
}

static void end(void)
{
	mappings__free(mappings);
	mapped_files__forget(files, 1);
	EXPECT_EQ(files->bytes, 0); /* no reference was kept */
	mapped_files__fini(files);
}

static void map(struct mappings **to, uint64_t start, uint64_t finish, uint64_t offset,
		const char *path)
{
	const struct mapping mapping = {
		.start = start, .end = finish, .offset = offset, .inode = 1, .path = path};

	mappings__map(to, &mapping, 0);
}

static const char *path_at(const struct mappings *in, uint64_t address)
{
	const struct mapped_area *area = mappings__find(in, address);

	return area ? area->file->mapping.path : NULL;
}

static uint64_t offset_at(uint64_t address)
{
	const struct mapped_area *area = mappings__find(mappings, address);

	return area ? area->offset + address - area->range.start : UINT64_MAX;
}

static int count(void *nr, void *area)
{
	(void)area;
	++*(size_t *)nr;
	return 0;
}

static size_t nr_areas(const struct mappings *in)
{
	size_t nr = 0;

	EXPECT_EQ(mappings__each(in, count, &nr), 0);
	return nr;
}

static void test_boundaries(void)
{
	begin();
	EXPECT_STR(path_at(mappings, 0), NULL);
	map(&mappings, 0x2000, 0x3000, 0x500, "/a");
	EXPECT_STR(path_at(mappings, 0x1fff), NULL);
	EXPECT_STR(path_at(mappings, 0x2000), "/a");
	EXPECT_STR(path_at(mappings, 0x2fff), "/a");
	EXPECT_STR(path_at(mappings, 0x3000), NULL);
	EXPECT_EQ(offset_at(0x2000), 0x500);
	EXPECT_EQ(offset_at(0x2fff), 0x14ff);
	map(&mappings, 0x3000, 0x3000, 0, "/empty");
	map(&mappings, 0x4000, 0x3000, 0, "/wraps");
	EXPECT_EQ(nr_areas(mappings), 1);
	end();
}

static void test_overlaps(void)
{
	begin();
	map(&mappings, 0x1000, 0x5000, 0, "/a");
	map(&mappings, 0x2000, 0x3000, 0, "/middle"); /* splits */
	EXPECT_EQ(nr_areas(mappings), 3);
	EXPECT_STR(path_at(mappings, 0x1fff), "/a");
	EXPECT_STR(path_at(mappings, 0x2000), "/middle");
	EXPECT_STR(path_at(mappings, 0x3000), "/a");
	EXPECT_EQ(offset_at(0x3000), 0x2000);
	map(&mappings, 0x2800, 0x4000, 0, "/over"); /* tail of one, head of the next */
	EXPECT_STR(path_at(mappings, 0x27ff), "/middle");
	EXPECT_STR(path_at(mappings, 0x2800), "/over");
	EXPECT_STR(path_at(mappings, 0x4000), "/a");
	EXPECT_EQ(offset_at(0x4000), 0x3000);
	map(&mappings, 0x1000, 0x5000, 0, "/all"); /* swallows */
	EXPECT_EQ(nr_areas(mappings), 1);
	EXPECT_STR(path_at(mappings, 0x4fff), "/all");
	map(&mappings, 0x1000, 0x5000, 0, "/same"); /* replaces exactly */
	EXPECT_EQ(nr_areas(mappings), 1);
	EXPECT_STR(path_at(mappings, 0x1000), "/same");
	end();
}

static void test_copy_on_write(void)
{
	struct mappings *child;

	begin();
	map(&mappings, 0x1000, 0x2000, 0, "/a");
	child = mappings__share(mappings);
	EXPECT(child == mappings);
	map(&child, 0x1000, 0x2000, 0, "/b");
	EXPECT(child != mappings);
	EXPECT_STR(path_at(mappings, 0x1000), "/a");
	EXPECT_STR(path_at(child, 0x1000), "/b");
	mappings__free(child);
	EXPECT_STR(path_at(mappings, 0x1000), "/a");
	end();
}

#define NR_PAGES 64

static void check_random(unsigned int seed)
{
	static const char *const paths[] = {"/a", "/b", "/c", "/d"};
	const char *path_of_page[NR_PAGES] = {NULL};
	uint64_t offset_of_page[NR_PAGES];
	size_t i, page;

	begin();
	for (i = 0; i < 40; i++) {
		const size_t first = (size_t)rand_r(&seed) % NR_PAGES;
		const size_t nr = 1 + (size_t)rand_r(&seed) % (NR_PAGES - first);
		const char *path = paths[rand_r(&seed) % 4];
		const uint64_t offset = (uint64_t)rand_r(&seed) % 1000 * 4096;

		map(&mappings, first * 4096, (first + nr) * 4096, offset, path);
		for (page = first; page < first + nr; page++) {
			path_of_page[page] = path;
			offset_of_page[page] = offset + (page - first) * 4096;
		}
		for (page = 0; page < NR_PAGES; page++) {
			EXPECT_STR(path_at(mappings, page * 4096 + 4095), path_of_page[page]);
			if (path_of_page[page])
				EXPECT_EQ(offset_at(page * 4096), offset_of_page[page]);
		}
	}
	end();
}

static void test_random(void)
{
	unsigned int seed;

	for (seed = 1; seed <= 50; seed++)
		check_random(seed);
}

/* Each mapping is charged once, however many have it, and what is gone is not. */
static void test_charges(void)
{
	struct mappings *other = NULL;
	char path[1024];
	size_t one, i;

	begin();
	memset(path, 'p', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	other = mappings__new(files);
	map(&other, 0, 0x1000, 0, "/shared");
	one = mappings__bytes(other);
	map(&mappings, 0, 0x1000, 0, "/shared");
	EXPECT(mappings__bytes(other) < one);
	EXPECT_EQ(mappings__bytes(mappings), mappings__bytes(other));
	mappings__free(other);
	EXPECT_EQ(mappings__bytes(mappings), one);
	for (i = 0; i < 100; i++) { /* ever other files at one place */
		path[i] = '/';
		map(&mappings, 0x2000, 0x3000, 0, path);
	}
	EXPECT(mappings__bytes(mappings) < one + 2 * sizeof(path));
	EXPECT(!mappings__exceed(mappings, one + 2 * sizeof(path)));
	EXPECT(mappings__exceed(mappings, one + sizeof(path)));
	end();
}

#define NR_MANY 200000ULL

/* Wherever the next mapping comes, what it costs does not grow with those before. */
static void test_many(void)
{
	uint64_t i, place, spent_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);

	begin();
	for (i = 0; i < NR_MANY; i++) {
		place = i % 2 ? i : NR_MANY - i; /* from both ends */
		map(&mappings, place * 0x2000, place * 0x2000 + 0x1000, 0, "/a");
	}
	EXPECT_EQ(nr_areas(mappings), NR_MANY);
	for (i = 0; i < NR_MANY; i += 1000)
		EXPECT_STR(path_at(mappings, (i + 1) * 0x2000), "/a");
	spent_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID) - spent_ns;
	EXPECT(spent_ns < 10 * 1000000000ULL); /* a hundred times less than by moving them */
	end();
}

int main(void)
{
	static const struct test tests[] = {
		{"first and last byte of a mapping", test_boundaries},
		{"overlaps", test_overlaps},
		{"copy on write", test_copy_on_write},
		{"random mappings agree with a page table", test_random},
		{"charges", test_charges},
		{"many", test_many},
		{0},
	};

	return run_tests("mappings", tests);
}
