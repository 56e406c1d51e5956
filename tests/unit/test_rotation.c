// SPDX-License-Identifier: GPL-2.0-only
/* Names of files that rotate: those that are ours, the next one's number, and those that go. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "actions/rotation.h"
#include "expect.h"
#include "scratch.h"

#define START_NS INT64_C(1769862896789000000) /* 2026-01-31 12:34:56.789 UTC */

static void test_names(void)
{
	static const struct {
		const char *name;
		long long number; /* -1: not ours */
	} rows[] = {
		{"topstacks-20260131T123456.789Z-00000042.pb.gz", 42},
		{"topstacks-20260131T123456.789Z-123456789012345.pb.gz", 123456789012345},
		{"topstacks-20260131T123456.789Z.pb.gz", 0},
		{"topstacks-20260131T123456.789Z-0000042.pb.gz", -1},
		{"topstacks-20260131T123456.789Z-1234567890123456.pb.gz", -1},
		{"topstacks-20260131T123456.789Z-00000000.pb.gz", -1},
		{"topstacks-20260131T123456.789Z--0000042.pb.gz", -1},
		{"topstacks-20260131T123456.789Z-.pb.gz", -1},
		{"topstacks-20260131T123456.789Z-0000004a.pb.gz", -1},
		{"topstacks-20260131T123456.789Z-00000042.pb.gz.tmp-0123abcd", -1},
		{"topstacks-20260131-123456.pb.gz", -1},
		{"topstacks-", -1},
		{"", -1},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint64_t number = 4711;
		const bool is_ours = rotation__is_name(rows[i].name, &number);

		EXPECT_EQ(is_ours ? (long long)number : -1, rows[i].number);
	}
}

/* The name that the next file gets in a directory with these files; free() it. */
static char *next_name(const char *const *files, char *path)
{
	struct rotation rotation;
	struct rotation_file file;
	struct error err = {0};
	char directory[256];

	strcpy(directory, scratch_path("rotation"));
	EXPECT_EQ(rotation__prepare(&rotation, directory, 0777, &err), 0);
	for (; *files; files++) {
		char name[128];

		snprintf(name, sizeof(name), "rotation/%s", *files);
		scratch_write(name, "");
	}
	EXPECT_EQ(rotation__next(&rotation, &file, START_NS, &err), 0);
	strcpy(path, strrchr(file.path, '/') + 1);
	rotation__end(&file);
	scratch_run("rm -r rotation");
	return path;
}

static void test_next(void)
{
	char path[256];

#define NEXT(...) next_name((const char *const[]){__VA_ARGS__}, path)
	EXPECT_STR(NEXT(NULL), "topstacks-20260131T123456.789Z-00000001.pb.gz");
	EXPECT_STR(NEXT("topstacks-20990131T123456.789Z-00000007.pb.gz",
			"topstacks-20200131T123456.789Z-00000009.pb.gz",
			"topstacks-20200131T123456.789Z-00000008.pb.gz", NULL),
		   "topstacks-20260131T123456.789Z-00000010.pb.gz");
	EXPECT_STR(NEXT("topstacks-20200131T123456.789Z.pb.gz", NULL),
		   "topstacks-20260131T123456.789Z-00000001.pb.gz");
	EXPECT_STR(NEXT("topstacks-20200131T123456.789Z-99999999.pb.gz", NULL),
		   "topstacks-20260131T123456.789Z-100000000.pb.gz");
	EXPECT_STR(NEXT("topstacks-20200131T123456.789Z-999999999999999.pb.gz", NULL),
		   "topstacks-20260131T123456.789Z-999999999999999.pb.gz");
}

static bool is_there(const char *name)
{
	struct stat status;

	return !lstat(scratch_path(name), &status);
}

/* Old files go, with numbers or without; those dated later, and those of others, stay. */
static void test_remove_old(void)
{
	struct rotation rotation;
	struct error err = {0};
	size_t nr_later = 0;
	char directory[256], written[512];

	strcpy(directory, scratch_path("rotation"));
	EXPECT_EQ(rotation__prepare(&rotation, directory, 0777, &err), 0);
	scratch_write("rotation/topstacks-20200101T000000.000Z.pb.gz", "");
	scratch_write("rotation/topstacks-20210101T000000.000Z-00000001.pb.gz", "");
	scratch_write("rotation/topstacks-20220101T000000.000Z-00000002.pb.gz", "");
	scratch_write("rotation/topstacks-20230101T000000.000Z-00000004.pb.gz", "");
	scratch_write("rotation/topstacks-20990101T000000.000Z-00000003.pb.gz", "");
	scratch_write("rotation/topstacks-20200101T000000.000Z-1.pb.gz", "");
	snprintf(written, sizeof(written), "%s/topstacks-20230101T000000.000Z-00000004.pb.gz",
		 directory);
	EXPECT_EQ(rotation__remove_old(&rotation, written, 2, &nr_later, &err), 0);
	EXPECT_EQ(nr_later, 1);
	EXPECT(!is_there("rotation/topstacks-20200101T000000.000Z.pb.gz"));
	EXPECT(!is_there("rotation/topstacks-20210101T000000.000Z-00000001.pb.gz"));
	EXPECT(is_there("rotation/topstacks-20220101T000000.000Z-00000002.pb.gz"));
	EXPECT(is_there("rotation/topstacks-20230101T000000.000Z-00000004.pb.gz"));
	EXPECT(is_there("rotation/topstacks-20990101T000000.000Z-00000003.pb.gz"));
	EXPECT(is_there("rotation/topstacks-20200101T000000.000Z-1.pb.gz"));
	scratch_run("rm -r rotation");
}

int main(void)
{
	static const struct test tests[] = {
		{"names that are ours", test_names},
		{"the next name", test_next},
		{"what is removed", test_remove_old},
		{0},
	};

	scratch_create();
	return run_tests("rotation", tests);
}
