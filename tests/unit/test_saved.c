// SPDX-License-Identifier: GPL-2.0-only
/* Rules save files: under these names, and within a bound. */
#include "serve/saved.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "base/files.h"
#include "expect.h"
#include "scratch.h"

/* 2026-01-31 12:34:56.789 UTC, and some seconds later. */
#define AT(seconds) (INT64_C(1769862896789000000) + (int64_t)(seconds)*1000000000)

static bool is_there(const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "saved/%s", name);
	return !access(scratch_path(path), F_OK);
}

static int save(struct saved *saved, const char *rule, int seconds, size_t nr_bytes)
{
	struct error err = {0};
	char *bytes = calloc(1, nr_bytes + 1);
	int code = saved__add(saved, rule, AT(seconds), bytes, nr_bytes, &err);

	EXPECT_EQ(code, err.code);
	free(bytes);
	return code;
}

static struct saved open_saved(uint64_t max_bytes)
{
	struct saved saved;
	struct error err = {0};

	scratch_run("rm -rf saved");
	EXPECT_EQ(saved__open(&saved, scratch_path("saved"), max_bytes, &err), 0);
	return saved;
}

static void test_names(void)
{
	struct saved saved = open_saved(1000);
	const char *path;
	struct stat status;
	char *text;

	EXPECT_EQ(save(&saved, "cpu-of-comm-nginx", 0, 7), 0);
	path = scratch_path("saved/topstacks-when-cpu-of-comm-nginx-20260131T123456.789Z.pb.gz");
	EXPECT_EQ(stat(path, &status), 0);
	EXPECT_EQ(status.st_size, 7);
	EXPECT_EQ(status.st_mode & 0777, 0600);
	EXPECT_EQ(files__read(path, 100, &text, NULL), 0);
	free(text);
	saved__close(&saved);
	saved__close(&saved);
}

/* The oldest files go, by their time and not by their rule's name. */
static void test_oldest_go(void)
{
	struct saved saved = open_saved(1000);

	EXPECT_EQ(save(&saved, "z", 0, 400), 0);
	EXPECT_EQ(save(&saved, "a", 1, 400), 0);
	EXPECT_EQ(save(&saved, "m", 2, 200), 0); /* all are full */
	EXPECT_EQ(saved.nr_removed, 0);
	EXPECT_EQ(save(&saved, "m", 3, 1), 0);
	EXPECT_EQ(saved.nr_removed, 1);
	EXPECT_EQ(saved.removed_bytes, 400);
	EXPECT(!is_there("topstacks-when-z-20260131T123456.789Z.pb.gz"));
	EXPECT(is_there("topstacks-when-a-20260131T123457.789Z.pb.gz"));
	EXPECT_EQ(save(&saved, "m", 4, 1000), 0);
	EXPECT_EQ(saved.nr_removed, 4);
	EXPECT_EQ(saved.nr_saved, 5);
	EXPECT(is_there("topstacks-when-m-20260131T123500.789Z.pb.gz"));

	/* A file that can never fit removes no other. */
	EXPECT_EQ(save(&saved, "m", 5, 1001), -EFBIG);
	EXPECT_EQ(saved.nr_removed, 4);
	EXPECT_EQ(saved.nr_failed, 1);
	EXPECT(is_there("topstacks-when-m-20260131T123500.789Z.pb.gz"));
	saved__close(&saved);
}

/* Files of others are neither counted nor removed, and no link is followed. */
static void test_strangers(void)
{
	struct saved saved = open_saved(100);

	scratch_run("head -c 5000 /dev/zero >saved/notes.pb.gz");
	scratch_run("head -c 5000 /dev/zero >saved/topstacks-20200101T000000.000Z.pb.gz");
	scratch_run(
		"head -c 5000 /dev/zero >saved/topstacks-when-x-20200101T000000.000Z.pb.gz.old");
	scratch_run("head -c 5000 /dev/zero >saved/topstacks-when-x-2020.pb.gz");
	scratch_run("head -c 5000 /dev/zero >outside");
	scratch_run("ln -s ../outside saved/topstacks-when-x-20200101T000000.000Z.pb.gz");
	scratch_run("mkdir saved/topstacks-when-y-20200101T000000.000Z.pb.gz");
	EXPECT_EQ(save(&saved, "x", 0, 60), 0);
	EXPECT_EQ(save(&saved, "x", 1, 60), 0);
	EXPECT_EQ(saved.nr_removed, 1);
	scratch_run("[ $(ls saved | wc -l) -eq 7 ] && [ -s outside ]");
	saved__close(&saved);
}

/* Files of a run before count, and leftovers of a killed one go. */
static void test_another_run(void)
{
	struct saved saved = open_saved(100);
	struct error err = {0};

	EXPECT_EQ(save(&saved, "x", 0, 60), 0);
	saved__close(&saved);
	scratch_run("touch saved/topstacks-when-x-20200101T000000.000Z.pb.gz.tmp-0123abcd");
	EXPECT_EQ(saved__open(&saved, scratch_path("saved"), 100, &err), 0);
	EXPECT(!is_there("topstacks-when-x-20200101T000000.000Z.pb.gz.tmp-0123abcd"));
	EXPECT_EQ(save(&saved, "x", 1, 60), 0);
	EXPECT_EQ(saved.nr_removed, 1);
	EXPECT_EQ(saved.nr_saved, 1);
	saved__close(&saved);
}

static void test_no_directory(void)
{
	struct saved saved;
	struct error err = {0};

	scratch_write("file", "x");
	EXPECT(saved__open(&saved, scratch_path("file/saved"), 100, &err) < 0);
	EXPECT(strstr(err.text, "cannot make the directory") != NULL);
	saved__close(&saved);
}

int main(void)
{
	static const struct test tests[] = {
		{"names say what and when", test_names}, {"the oldest go first", test_oldest_go},
		{"strangers stay", test_strangers},	 {"another run", test_another_run},
		{"no directory", test_no_directory},	 {0},
	};

	scratch_create();
	return run_tests("saved", tests);
}
