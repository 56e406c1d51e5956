// SPDX-License-Identifier: GPL-2.0-only
/* Lines of maps, honest and hostile; mappings over mappings, against one byte per page. */
#include "processes/mappings.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "expect.h"
#include "processes/mapped_files.h"
#include "processes/procfs.h"

/* ---- parsing ---- */

static struct mapping mapping;
static bool executable;
static char line[8192];

static bool parse(const char *text)
{
	memset(&mapping, 0xff, sizeof(mapping));
	snprintf(line, sizeof(line), "%s", text);
	return mapping__parse(line, &mapping, &executable);
}

static void test_line(void)
{
	EXPECT(parse("7fee292da000-7fee29300000 r-xp 00001000 fe:10 332383          "
		     "           /usr/lib/ld-linux-x86-64.so.2"));
	EXPECT_EQ(mapping.start, 0x7fee292da000);
	EXPECT_EQ(mapping.end, 0x7fee29300000);
	EXPECT_EQ(mapping.offset, 0x1000);
	EXPECT_EQ(mapping.major, 0xfe);
	EXPECT_EQ(mapping.minor, 0x10);
	EXPECT_EQ(mapping.inode, 332383);
	EXPECT_STR(mapping.path, "/usr/lib/ld-linux-x86-64.so.2");
	EXPECT(executable);
}

static void test_line_without_path(void)
{
	EXPECT(parse("55d0c0a00000-55d0c0a21000 rw-p 00000000 00:00 0 "));
	EXPECT_STR(mapping.path, "");
	EXPECT_EQ(mapping.inode, 0);
	EXPECT(!executable);
	EXPECT(parse("1000-2000 --xp 00000000 00:00 0"));
	EXPECT_STR(mapping.path, "");
	EXPECT(executable);
	EXPECT(parse("ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0    [vsyscall]"));
	EXPECT_STR(mapping.path, "[vsyscall]");
}

static void test_odd_paths(void)
{
	EXPECT(parse("1000-2000 r-xp 0 08:01 18446744073709551615 /a b  c (deleted)"));
	EXPECT_STR(mapping.path, "/a b  c (deleted)");
	EXPECT(mapping.inode == UINT64_MAX);
	EXPECT(parse("1000-2000 r-xp 0 08:01 7 /new\\012line\\"));
	EXPECT_STR(mapping.path, "/new\nline\\");
	EXPECT(parse("1000-2000 r-xp 0 08:01 7 /\\012\\012\\01"));
	EXPECT_STR(mapping.path, "/\n\n\\01");
	EXPECT(parse("1000-2000 r-xp 0 08:01 7 /\xff\x1b[31m"));
	EXPECT_STR(mapping.path, "/\xff\x1b[31m");
}

static void test_hostile_lines(void)
{
	static const char *const lines[] = {
		"",
		" ",
		"-",
		"1000",
		"1000-",
		"1000-2000",
		"1000-2000 ",
		"1000-2000 r-x",
		"1000-2000 r-xp",
		"1000-2000 r-xp ",
		"1000-2000 r-xpp 0 08:01 7 /a",
		"1000-2000 r-xp 0",
		"1000-2000 r-xp 0 08",
		"1000-2000 r-xp 0 08:01",
		"1000-2000 r-xp 0 08:01 ",
		"1000-2000 r-xp 0 08:01 x",
		"1000-2000 r-xp 0 08:01 7x /a",
		"1000-2000 r-xp 0 08:01 7a",
		"1000-2000 r-xp 0 08:01 -7",
		"1000-2000 r-xp 0 08:01 18446744073709551616 /a",
		"1000-2000 r-xp 0 100000000:01 7 /a",
		"1000-10000000000000000 r-xp 0 08:01 7 /a",
		"1000-2000 r-xp 10000000000000000 08:01 7 /a",
		"2000-2000 r-xp 0 08:01 7 /a",
		"3000-2000 r-xp 0 08:01 7 /a",
		"g000-2000 r-xp 0 08:01 7 /a",
		"-1000-2000 r-xp 0 08:01 7 /a",
		"0x1000-0x2000 r-xp 0 08:01 7 /a",
		" 1000-2000 r-xp 0 08:01 7 /a",
		"1000 - 2000 r-xp 0 08:01 7 /a",
	};
	size_t i;

	for (i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		bool parsed = parse(lines[i]);

		if (parsed)
			fprintf(stderr, "parsed: \"%s\"\n", lines[i]);
		EXPECT(!parsed);
	}
}

/* ---- reading ---- */

struct counted {
	size_t nr;
	size_t longest_path;
};

static int count_mapping(void *context, const struct mapping *found, bool is_executable)
{
	struct counted *counted = context;

	(void)is_executable;
	counted->nr++;
	if (strlen(found->path) > counted->longest_path)
		counted->longest_path = strlen(found->path);
	return 0;
}

static struct counted count_in(const char *text, size_t length)
{
	struct counted counted = {0};
	FILE *file = tmpfile();

	EXPECT_EQ(fwrite(text, 1, length, file), length);
	fflush(file);
	rewind(file);
	EXPECT_EQ(maps__each(fileno(file), count_mapping, &counted), 0);
	fclose(file);
	return counted;
}

static void test_many_lines(void)
{
	static const char one[] = "1000-2000 r-xp 0 08:01 7 /bin/a\n";
	char *text = calloc(5000, sizeof(one));
	struct counted counted;
	size_t i;

	for (i = 0; i < 5000; i++)
		memcpy(text + i * (sizeof(one) - 1), one, sizeof(one) - 1);
	counted = count_in(text, 5000 * (sizeof(one) - 1));
	EXPECT_EQ(counted.nr, 5000);
	EXPECT_EQ(counted.longest_path, strlen("/bin/a"));
	/* The last line without its end is not a line. */
	counted = count_in(text, 5000 * (sizeof(one) - 1) - 1);
	EXPECT_EQ(counted.nr, 4999);
	free(text);
}

static void test_long_lines(void)
{
	const size_t bytes = 100000;
	char *text = malloc(bytes);
	struct counted counted;

	/* As long as a kernel can make it: 4,095 bytes, each as four. */
	strcpy(text, "1000-2000 r-xp 0 08:01 7 /");
	memset(text + strlen("1000-2000 r-xp 0 08:01 7 /"), 'x', 16380);
	text[16380] = '\n';
	counted = count_in(text, 16381);
	EXPECT_EQ(counted.nr, 1);
	/* Longer than any: not a line, and what follows it is whole again. */
	memset(text, 'x', bytes);
	strcpy(text + bytes - 40, "\n1000-2000 r-xp 0 08:01 7 /b\n");
	counted = count_in(text, bytes - 40 + strlen(text + bytes - 40));
	EXPECT_EQ(counted.nr, 1);
	free(text);
}

static size_t count_lines(FILE *file)
{
	char *text = NULL;
	size_t size = 0, nr = 0;

	while (getline(&text, &size, file) > 0)
		nr++;
	free(text);
	return nr;
}

/* Of a child that does nothing: our own change while we look. */
static void test_real_maps(void)
{
	struct counted counted = {0};
	pid_t child = fork();
	char path[32];
	FILE *maps;

	if (child == 0)
		for (;;)
			pause();
	snprintf(path, sizeof(path), "/proc/%d/maps", child);
	maps = fopen(path, "re");
	EXPECT_EQ(maps__each(fileno(maps), count_mapping, &counted), 0);
	rewind(maps);
	EXPECT_EQ(counted.nr, count_lines(maps));
	EXPECT(counted.nr > 10);
	fclose(maps);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

/* ---- overlaps ---- */

static const struct source no_sources[] = {{0}};
static struct modules *modules;
static struct mappings *mappings;

static void begin(void)
{
	modules = modules__new(no_sources, NULL);
	mappings = mappings__new();
}

static void end(void)
{
	mappings__free(mappings);
	modules__forget(modules, 1);
	EXPECT_EQ(modules__nr_modules(modules), 0); /* every reference was given back */
	modules__free(modules);
}

static int apply(struct mappings **to, uint64_t start, uint64_t finish, uint64_t offset,
		 const char *path)
{
	struct mapping file = {.inode = 1, .path = path};
	struct module *module = modules__get(modules, &file);
	const struct area area = {
		.start = start, .end = finish, .offset = offset, .module = module};
	int code = mappings__apply(to, &area);

	module__unref(module);
	return code;
}

static const char *path_at(const struct mappings *in, uint64_t address)
{
	const struct area *area = mappings__find(in, address);

	return area ? area->module->identity.path : NULL;
}

static uint64_t offset_at(uint64_t address)
{
	const struct area *area = mappings__find(mappings, address);

	return area ? area->offset + address - area->start : UINT64_MAX;
}

static size_t nr_areas(const struct mappings *in)
{
	size_t nr;

	mappings__areas(in, &nr);
	return nr;
}

static void test_boundaries(void)
{
	begin();
	EXPECT_STR(path_at(mappings, 0), NULL);
	EXPECT_EQ(apply(&mappings, 0x2000, 0x3000, 0x500, "/a"), 0);
	EXPECT_STR(path_at(mappings, 0x1fff), NULL);
	EXPECT_STR(path_at(mappings, 0x2000), "/a");
	EXPECT_STR(path_at(mappings, 0x2fff), "/a");
	EXPECT_STR(path_at(mappings, 0x3000), NULL);
	EXPECT_EQ(offset_at(0x2000), 0x500);
	EXPECT_EQ(offset_at(0x2fff), 0x14ff);
	EXPECT_EQ(apply(&mappings, 0x3000, 0x3000, 0, "/empty"), 0);
	EXPECT_EQ(apply(&mappings, 0x4000, 0x3000, 0, "/wraps"), 0);
	EXPECT_EQ(nr_areas(mappings), 1);
	end();
}

static void test_overlaps(void)
{
	begin();
	apply(&mappings, 0x1000, 0x5000, 0, "/a");
	apply(&mappings, 0x2000, 0x3000, 0, "/middle"); /* splits */
	EXPECT_EQ(nr_areas(mappings), 3);
	EXPECT_STR(path_at(mappings, 0x1fff), "/a");
	EXPECT_STR(path_at(mappings, 0x2000), "/middle");
	EXPECT_STR(path_at(mappings, 0x3000), "/a");
	EXPECT_EQ(offset_at(0x3000), 0x2000);
	apply(&mappings, 0x2800, 0x4000, 0, "/over"); /* tail of one, head of the next */
	EXPECT_STR(path_at(mappings, 0x27ff), "/middle");
	EXPECT_STR(path_at(mappings, 0x2800), "/over");
	EXPECT_STR(path_at(mappings, 0x4000), "/a");
	EXPECT_EQ(offset_at(0x4000), 0x3000);
	apply(&mappings, 0x1000, 0x5000, 0, "/all"); /* swallows */
	EXPECT_EQ(nr_areas(mappings), 1);
	EXPECT_STR(path_at(mappings, 0x4fff), "/all");
	apply(&mappings, 0x1000, 0x5000, 0, "/same"); /* replaces exactly */
	EXPECT_EQ(nr_areas(mappings), 1);
	EXPECT_STR(path_at(mappings, 0x1000), "/same");
	end();
}

static void test_copy_on_write(void)
{
	struct mappings *child;

	begin();
	apply(&mappings, 0x1000, 0x2000, 0, "/a");
	child = mappings__share(mappings);
	EXPECT(child == mappings);
	apply(&child, 0x1000, 0x2000, 0, "/b");
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

		EXPECT_EQ(apply(&mappings, first * 4096, (first + nr) * 4096, offset, path), 0);
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

static void test_bound(void)
{
	uint64_t i;
	int code = 0;

	begin();
	for (i = 0; i < 1000000 && !code; i++)
		code = apply(&mappings, i * 0x2000, i * 0x2000 + 0x1000, 0, "/a");
	EXPECT_EQ(code, -E2BIG);
	EXPECT(nr_areas(mappings) > 65530); /* what a process may have */
	EXPECT_STR(path_at(mappings, 0x2000), "/a");
	end();
}

int main(void)
{
	static const struct test tests[] = {
		{"a line of maps", test_line},
		{"a line without path", test_line_without_path},
		{"odd paths", test_odd_paths},
		{"hostile lines", test_hostile_lines},
		{"many lines", test_many_lines},
		{"long lines", test_long_lines},
		{"maps of a process", test_real_maps},
		{"first and last byte of a mapping", test_boundaries},
		{"overlaps", test_overlaps},
		{"copy on write", test_copy_on_write},
		{"random mappings agree with a page table", test_random},
		{"bounded", test_bound},
		{0},
	};

	return run_tests("mappings", tests);
}
