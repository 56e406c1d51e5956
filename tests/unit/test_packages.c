// SPDX-License-Identifier: GPL-2.0-only
/* A file's package of symbols is found in a database made by hand. */
#include "symbols/debug/packages.h"

#include <string.h>

#include "expect.h"
#include "scratch.h"

static struct packages *packages;

static void expect_advice(const char *path, const char *package, const char *text)
{
	const struct package_advice advice = packages__advise(packages, path, "abcdef");

	EXPECT_STR(advice.package, package);
	EXPECT_STR(advice.text, text);
}

static void expect_text(const char *path, const char *text)
{
	const struct package_advice advice = packages__advise(packages, path, "abcdef");

	EXPECT(!advice.package);
	EXPECT_STR(advice.text, text);
}

static void test_owners(void)
{
	static const char none[] =
		"no package has it: do not strip it, or have report --symfs find "
		"its debug file (build ID abcdef)";

	packages = packages__new(scratch_path("system"));
	for (int again = 0; again < 2; again++) {
		expect_advice(
			"/usr/bin/redis-check-rdb", "redis-tools-dbgsym",
			"install redis-tools-dbgsym, from an archive of debug symbols, which has "
			"to be added first (docs/symbols.md)");
		expect_advice("/usr/lib/x86_64-linux-gnu/libc.so.6", "libc6-dbg",
			      "install libc6-dbg");
		expect_advice(
			"/usr/lib/libz.so.1.2", "libz1.2-dbgsym",
			"install libz1.2-dbgsym, from an archive of debug symbols, which has to "
			"be added first (docs/symbols.md)");
		expect_text("/usr/bin/redis-check", none);
		expect_text("/bin/redis-check-rdb", none);
		expect_text("/usr/bin/other", none);
		scratch_write("system/var/lib/dpkg/info/redis-tools.list", "");
	}
	packages__free(packages);
}

/*
 * As apt has it where the archive was added: whole lists tell what is in it, compressed ones do
 * not.
 */
static void test_archives(void)
{
	scratch_run("mkdir -p system/var/lib/apt/lists");
	scratch_write("system/var/lib/apt/lists/"
		      "deb.debian.org_debian-debug_dists_bookworm-debug_main_binary-amd64_Packages",
		      "Package: libz1.2-dbgsym\nVersion: 1\n\nPackage: libz1.2-dbgsym-x\n");
	scratch_write("system/var/lib/dpkg/info/redis-tools.list", "/usr/bin/redis-check-rdb\n");
	packages = packages__new(scratch_path("system"));
	expect_advice("/usr/lib/libz.so.1.2", "libz1.2-dbgsym", "install libz1.2-dbgsym");
	expect_text("/usr/bin/redis-check-rdb",
		    "no archive has its debug symbols: report --symfs names it by its debug file "
		    "(build ID abcdef)");
	packages__free(packages);
	scratch_run("mv system/var/lib/apt/lists/*_Packages system/var/lib/apt/lists/"
		    "ddebs.ubuntu.com_dists_noble_main_binary-amd64_Packages.lz4");
	packages = packages__new(scratch_path("system"));
	expect_advice("/usr/bin/redis-check-rdb", "redis-tools-dbgsym",
		      "install redis-tools-dbgsym");
	packages__free(packages);
}

/* The advice to install never names an installed package. */
static void test_installed(void)
{
	scratch_write("system/var/lib/dpkg/info/libc6-dbg:amd64.list", "");
	packages = packages__new(scratch_path("system"));
	expect_text("/usr/lib/x86_64-linux-gnu/libc.so.6",
		    "libc6-dbg is installed, but of another build (build ID abcdef): install the "
		    "same version of both");
	packages__free(packages);
	scratch_run("mkdir -p system/usr/lib/debug/.build-id/ab && "
		    "touch system/usr/lib/debug/.build-id/ab/cdef.debug");
	packages = packages__new(scratch_path("system"));
	expect_text("/usr/lib/x86_64-linux-gnu/libc.so.6",
		    "libc6-dbg is installed, and did not name these when they were recorded");
	packages__free(packages);
}

static void test_no_database(void)
{
	packages = packages__new(scratch_path("none"));
	expect_text("/usr/bin/x", "report --symfs names it by its debug file (build ID abcdef)");
	EXPECT_STR(packages__advise(packages, "/usr/bin/y", NULL).text,
		   "build it without -s, and do not strip it");
	packages__free(packages);
}

/* The advice repeats no step that was taken, and packages here say nothing of files elsewhere. */
static void test_true_elsewhere(void)
{
	packages = packages__new(scratch_path("system"));
	packages__set_elsewhere(packages);
	expect_text("/usr/lib/x86_64-linux-gnu/libc.so.6",
		    "report --symfs names it by its debug file (build ID abcdef)");
	EXPECT(strstr(packages__advise(packages, "/usr/bin/y", NULL).text, "no build ID of it"));
	packages__free(packages);
	packages = packages__new(scratch_path("system"));
	packages__set_symfs(packages, "symbols");
	expect_text("/usr/bin/other", "nothing below --symfs names it: put the debug file of "
				      "build ID abcdef there");
	packages__free(packages);
}

int main(void)
{
	static const struct test tests[] = {
		{"packages of files", test_owners},
		{"archives", test_archives},
		{"what is installed", test_installed},
		{"no database", test_no_database},
		{"advice that is true elsewhere, and after a search", test_true_elsewhere},
		{0},
	};

	scratch_create();
	scratch_run("mkdir -p system/var/lib/dpkg/info");
	scratch_write("system/var/lib/dpkg/info/redis-tools.list",
		      "/.\n/usr\n/usr/bin\n/usr/bin/redis-check-rdb\n");
	scratch_write("system/var/lib/dpkg/info/libc6:amd64.list",
		      "/.\n/lib/x86_64-linux-gnu/libc.so.6\n");
	scratch_write("system/var/lib/dpkg/info/libz1.2:amd64.list", "/usr/lib/libz.so.1.2");
	scratch_write("system/var/lib/dpkg/info/other.md5sums", "/usr/bin/other\n");
	return run_tests("packages", tests);
}
