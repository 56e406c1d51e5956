// SPDX-License-Identifier: GPL-2.0-only
/* Patterns of process names as the kernel's programs match them, held against fnmatch(3). */
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "capture/tasks/internal.h"
#include "expect.h"
#include "topstacks/comm_pattern.h"

static bool matches(const char *text, const char *name)
{
	static struct comm_pattern pattern;
	char comm[16] = "";

	memcpy(comm, name, strnlen(name, 15));
	EXPECT_EQ(comm_pattern__make(&pattern, text), 0);
	return comm_pattern__matches(&pattern, comm);
}

static void test_names(void)
{
	EXPECT(matches("nginx", "nginx"));
	EXPECT(!matches("nginx", "nginx2"));
	EXPECT(!matches("nginx", "ngin"));
	EXPECT(!matches("nginx", ""));
	EXPECT(matches("kworker/0:1", "kworker/0:1"));
	EXPECT(matches("\xc3\xa9", "\xc3\xa9"));
}

/* The kernel keeps 15 characters of a name; a pattern is meant as a whole. */
static void test_long_names(void)
{
	EXPECT(matches("fifteen-letters", "fifteen-letters"));
	EXPECT(matches("fifteen-letters-and-more", "fifteen-letters-and-more"));
	EXPECT(!matches("fifteen-letters-?", "fifteen-letters-a"));
	EXPECT(matches("fifteen-letters*", "fifteen-letters-and-more"));
}

static void test_wildcards(void)
{
	EXPECT(matches("*", ""));
	EXPECT(matches("***", "abc"));
	EXPECT(matches("php*", "php-fpm7.4"));
	EXPECT(matches("*fpm*", "php-fpm7.4"));
	EXPECT(!matches("?", ""));
	EXPECT(matches("[!0-9]*[0-9]", "cc1"));
	EXPECT(matches("[]x]", "]"));
	EXPECT(matches("[[:digit:]]x", "1x"));
	EXPECT(!matches("[[:digit:]]x", "ax"));
	EXPECT(matches("[abc", "[abc"));
	EXPECT(matches("\\*", "*"));
	EXPECT(!matches("\\*", "a"));
}

static void test_too_long(void)
{
	static struct comm_pattern pattern;

	EXPECT_EQ(comm_pattern__make(&pattern, "???????????????????????????????"), 0);
	EXPECT_EQ(comm_pattern__make(&pattern, "????????????????????????????????"), -E2BIG);
	EXPECT_EQ(comm_pattern__make(&pattern, "********************************a"), 0);
}

static void make_up(char *text, const char *of, size_t most)
{
	size_t i, length = (size_t)rand() % (most + 1);

	for (i = 0; i < length; i++)
		text[i] = of[(size_t)rand() % strlen(of)];
	text[length] = '\0';
}

static void test_against_fnmatch(void)
{
	char text[16], name[16];
	int i, nr_matches = 0;

	srand(1);
	for (i = 0; i < 100000; i++) {
		make_up(text, "ab*?[]!-\\", 8);
		make_up(name, "ab]-", 6);
		nr_matches += !fnmatch(text, name, 0);
		if (matches(text, name) != !fnmatch(text, name, 0) && *text) {
			EXPECT_STR(text, name);
			return;
		}
	}
	EXPECT(nr_matches > 1000);
}

int main(void)
{
	static const struct test tests[] = {
		{"names", test_names},
		{"long names", test_long_names},
		{"wildcards", test_wildcards},
		{"too long", test_too_long},
		{"as fnmatch has it", test_against_fnmatch},
		{0},
	};

	return run_tests("comm_pattern", tests);
}
