// SPDX-License-Identifier: GPL-2.0-only
/* The preloaded library reads its settings from the environment, and takes them out of it. */
#include "../../preload/settings.h"

#include <stdio.h>

#include "../../preload/gaps.h"
#include "expect.h"

static void expect_mean(const char *value, uint64_t mean)
{
	char text[80];
	char *environment[] = {"HOME=/", text, NULL};

	snprintf(text, sizeof(text), "TOPSTACKS_ALLOC_EVERY=%s", value);
	EXPECT_EQ((long long)settings__mean(environment), (long long)mean);
}

static void test_mean(void)
{
	char *nothing[] = {NULL};

	EXPECT_EQ((long long)settings__mean(nothing), GAPS_DEFAULT_MEAN);
	expect_mean("1", 1);
	expect_mean("65536", 65536);
	expect_mean("1099511627776", 1ULL << 40);
	for (const char *const *bad =
		     (const char *const[]){"", "0", "-1", "64K", " 1", "0x10", "1099511627777",
					   "18446744073709551617", NULL};
	     *bad; bad++)
		expect_mean(*bad, GAPS_DEFAULT_MEAN);
}

static void test_alone(void)
{
	char *alone[] = {"TOPSTACKS_ALLOC_ALONE=1", NULL},
	     *others[] = {"TOPSTACKS_ALLOC_ALONE=10", NULL};

	EXPECT(settings__alone(alone));
	EXPECT(!settings__alone(others));
	EXPECT(!settings__alone(others + 1));
}

/*
 * The library takes itself off the end of LD_PRELOAD, and the rest remains; after NULL: the
 * variable is gone.
 */
static void expect_preload(const char *before, const char *after)
{
	char text[120];
	char *environment[] = {
		"A=1", "TOPSTACKS_ALLOC_EVERY=5", text, "TOPSTACKS_ALLOC_ALONE=1", "B=2", NULL};

	snprintf(text, sizeof(text), "LD_PRELOAD=%s", before);
	settings__leave(environment);
	EXPECT_STR(environment[0], "A=1");
	if (after) {
		EXPECT_STR(environment[1], text);
		EXPECT_STR(text + sizeof("LD_PRELOAD=") - 1, after);
	}
	EXPECT_STR(environment[after ? 2 : 1], "B=2");
	EXPECT_STR(environment[after ? 3 : 2], NULL);
}

static void test_leaves(void)
{
	expect_preload("/usr/lib/topstacks/libtopstacks-alloc.so", NULL);
	expect_preload("libtopstacks-alloc.so", NULL);
	expect_preload("libx.so:/b/liby.so:/usr/lib/topstacks/libtopstacks-alloc.so",
		       "libx.so:/b/liby.so");
	expect_preload("libx.so /b/liby.so:/a/libtopstacks-alloc.so", "libx.so /b/liby.so");
	expect_preload("/a/libtopstacks-alloc.so:/b/liby.so",
		       "/a/libtopstacks-alloc.so:/b/liby.so");
	expect_preload("/a/libtopstacks-alloc.so.1", "/a/libtopstacks-alloc.so.1");
	expect_preload("/a/other-libtopstacks-alloc.so", "/a/other-libtopstacks-alloc.so");
}

int main(void)
{
	static const struct test tests[] = {
		{"the mean", test_mean},
		{"alone", test_alone},
		{"what programs that are executed get", test_leaves},
		{0},
	};

	return run_tests("alloc_settings", tests);
}
