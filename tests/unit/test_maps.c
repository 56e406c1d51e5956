// SPDX-License-Identifier: GPL-2.0-only
/* Lines of maps, honest and hostile. */
#include "processes/maps.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "expect.h"

static struct mapping mapping;
static bool executable;
static char path[8192]; /* the mapping's */

static int keep_mapping(void *context, const struct mapping *found, bool is_executable)
{
	*(bool *)context = true;
	mapping = *found;
	snprintf(path, sizeof(path), "%s", found->path);
	mapping.path = path;
	executable = is_executable;
	return 0;
}

/* Whether such a line is one of a mapping, which it is then. */
static bool parse(const char *text)
{
	const int fd = memfd_create("maps", MFD_CLOEXEC);
	bool is_found = false;

	EXPECT(dprintf(fd, "%s\n", text) > 0);
	EXPECT_EQ(lseek(fd, 0, SEEK_SET), 0);
	EXPECT_EQ(maps__each(fd, keep_mapping, &is_found), 0);
	close(fd);
	return is_found;
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

/* The list is that of a child that does nothing, as our own changes while we look. */
static void test_real_maps(void)
{
	struct counted counted = {0};
	pid_t child = fork();
	char own_maps[32];
	FILE *maps;

	if (child == 0)
		for (;;)
			pause();
	snprintf(own_maps, sizeof(own_maps), "/proc/%d/maps", child);
	maps = fopen(own_maps, "re");
	EXPECT_EQ(maps__each(fileno(maps), count_mapping, &counted), 0);
	rewind(maps);
	EXPECT_EQ(counted.nr, count_lines(maps));
	EXPECT(counted.nr > 10);
	fclose(maps);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
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
		{0},
	};

	return run_tests("maps", tests);
}
