// SPDX-License-Identifier: GPL-2.0-only
/* Paths of files in directories that somebody named, with a slash at the end or without. */
#include "base/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"

static bool is_text(char *text, const char *expected)
{
	const bool same = text && !strcmp(text, expected);

	if (!same)
		printf("%s, not %s\n", text ? text : "(none)", expected);
	free(text);
	return same;
}

static void test_join(void)
{
	EXPECT(is_text(files__join("runs", "run-001"), "runs/run-001"));
	EXPECT(is_text(files__join("runs/", "run-001"), "runs/run-001"));
	EXPECT(is_text(files__join("/", "run-001"), "/run-001"));
}

static void test_pattern(void)
{
	EXPECT(is_text(files__pattern("runs", "run-*"), "runs/run-*"));
	EXPECT(is_text(files__pattern("runs/", "run-*"), "runs/run-*"));
	EXPECT(is_text(files__pattern("a*[b]/", "run-*"), "a\\*\\[b\\]/run-*"));
}

int main(int argc, char **argv)
{
	static const struct test tests[] = {
		{"a directory and a name in it", test_join},
		{"a directory's own characters stand for themselves", test_pattern},
		{0},
	};

	(void)argc;
	(void)argv;
	return run_tests("files", tests);
}
