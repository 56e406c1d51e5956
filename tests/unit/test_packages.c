// SPDX-License-Identifier: GPL-2.0-only
/* Which package a file's symbols are in: a database made by hand. */
#include "symbols/packages.h"

#include "expect.h"
#include "scratch.h"

static void test_packages(void)
{
	struct packages *packages;

	scratch_create();
	scratch_write("redis-tools.list", "/.\n/usr\n/usr/bin\n/usr/bin/redis-check-rdb\n");
	scratch_write("libc6:amd64.list", "/.\n/lib/x86_64-linux-gnu/libc.so.6\n");
	scratch_write("libz1.2:amd64.list", "/usr/lib/libz.so.1.2");
	scratch_write("other.md5sums", "/usr/bin/other\n");
	packages = packages__new(scratch_path(""));
	for (int again = 0; again < 2; again++) {
		EXPECT_STR(packages__debug_symbols(packages, "/usr/bin/redis-check-rdb"),
			   "redis-tools-dbgsym");
		EXPECT_STR(packages__debug_symbols(packages, "/usr/lib/x86_64-linux-gnu/libc.so.6"),
			   "libc6-dbg");
		EXPECT_STR(packages__debug_symbols(packages, "/usr/lib/libz.so.1.2"),
			   "libz1.2-dbgsym");
		EXPECT(!packages__debug_symbols(packages, "/usr/bin/redis-check"));
		EXPECT(!packages__debug_symbols(packages, "/bin/redis-check-rdb"));
		EXPECT(!packages__debug_symbols(packages, "/usr/bin/other"));
		scratch_write("redis-tools.list", "");
	}
	packages__free(packages);
}

static void test_no_database(void)
{
	struct packages *packages = packages__new(scratch_path("none"));

	EXPECT(!packages__debug_symbols(packages, "/usr/bin/x"));
	packages__free(packages);
}

int main(void)
{
	static const struct test tests[] = {
		{"packages of files", test_packages},
		{"no database", test_no_database},
		{0},
	};

	return run_tests("packages", tests);
}
