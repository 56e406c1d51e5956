// SPDX-License-Identifier: GPL-2.0-only
/* A name that does not exist gets suggestions of names near to it. */
#include "capture/events/suggestions.h"

#include <stdio.h>
#include <string.h>

#include "base/distance.h"
#include "expect.h"

static void expect_told(const char *wanted, const char *const names[], const char *expected)
{
	struct suggestions near = {0};
	char text[256];

	for (; *names; names++)
		suggestions__add(&near, *names, wanted, 1);
	EXPECT_STR(suggestions__format(&near, "near: ", text, sizeof(text)), expected);
	suggestions__fini(&near);
}

static void test_near(void)
{
	static const char *const names[] = {"nginx", "bash",  "nginx",	    "gnix",
					    "nginx", "redis", "php-fpm7.4", NULL};
	static const char *const many[] = {"ax", "bx", "cx", "dx", "ex", "fx", "gx", NULL};
	static const char *const hostile[] = {"ngi\033[2J", NULL};

	expect_told("ngnix", names, "near: gnix (1 process), nginx (3)");
	expect_told("bash", names, "");
	expect_told("fpm", names, "near: php-fpm7.4 (1 process)");
	expect_told("postgres", names, "");
	expect_told("x", many, "near: ax (1 process), bx (1), cx (1), dx (1), ex (1) and 2 more");
	expect_told("ngi", hostile, "near: ngi\\x1b[2J (1 process)");
}

static void test_room(void)
{
	struct suggestions near = {0};
	char text[12];

	suggestions__add(&near, "a-name-that-is-longer", NULL, 0);
	EXPECT_EQ(strlen(suggestions__format(&near, "; ", text, sizeof(text))), sizeof(text) - 1);
	suggestions__fini(&near);
	EXPECT_STR(suggestions__format(&near, "; ", text, sizeof(text)), "");
}

static void test_distance(void)
{
	EXPECT_EQ(distance__measure("kitten", 6, "sitting"), 3);
	EXPECT_EQ(distance__measure("kitten", 0, "sit"), 3);
	EXPECT_EQ(distance__measure("nginx", 3, "ngi"), 0);
}

int main(void)
{
	static const struct test tests[] = {
		{"near names", test_near},
		{"no room", test_room},
		{"distances", test_distance},
		{0},
	};

	return run_tests("near", tests);
}
