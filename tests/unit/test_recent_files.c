// SPDX-License-Identifier: GPL-2.0-only
/* Recent mappings are handed out by process, and each file once. */
#include "capture/unwinding/internal.h"

#include <stdio.h>
#include <string.h>

#include "expect.h"
#include "processes/process.h"
#include "topstacks/hash.h"

struct seen_arrivals {
	size_t nr;
	uint64_t inodes[8];
	char last_path[64];
};

static void see(void *context, const struct mapping *mapping)
{
	struct seen_arrivals *seen = context;

	if (seen->nr < 8)
		seen->inodes[seen->nr] = mapping->inode;
	seen->nr++;
	snprintf(seen->last_path, sizeof(seen->last_path), "%s", mapping->path);
}

static struct mapping mapping_of(uint64_t inode, const char *path)
{
	return (struct mapping){.start = 0x1000, .end = 0x2000, .inode = inode, .path = path};
}

static struct recent_files *begin(void)
{
	static struct recent_files arrivals;

	recent_files__init(&arrivals);
	return &arrivals;
}

static void note(struct recent_files *arrivals, int32_t pid, uint64_t inode)
{
	char path[] = "/bin/program"; /* gone when this returns */
	const struct mapping mapping = mapping_of(inode, path);

	recent_files__note(arrivals, pid, &mapping);
	memset(path, 'x', sizeof(path) - 1);
}

static struct seen_arrivals each(struct recent_files *arrivals, int32_t pid)
{
	struct seen_arrivals seen = {0};

	recent_files__each(arrivals, pid, see, &seen);
	return seen;
}

static void test_each_process_its_own(void)
{
	struct recent_files *arrivals = begin();
	struct seen_arrivals seen;

	note(arrivals, 10, 1);
	note(arrivals, 11, 2);
	note(arrivals, 10, 3);
	seen = each(arrivals, 10);
	EXPECT_EQ(seen.nr, 2);
	EXPECT_EQ(seen.inodes[0], 1);
	EXPECT_EQ(seen.inodes[1], 3);
	EXPECT_STR(seen.last_path, "/bin/program");
	EXPECT_EQ(each(arrivals, 12).nr, 0);
	EXPECT_EQ(each(arrivals, 11).nr, 1);
	recent_files__fini(arrivals);
}

static void test_once(void)
{
	struct recent_files *arrivals = begin();

	note(arrivals, 10, 1);
	note(arrivals, 11, 1);
	EXPECT_EQ(each(arrivals, 10).nr, 1);
	EXPECT_EQ(each(arrivals, 11).nr, 0);
	note(arrivals, 12, 1);
	EXPECT_EQ(each(arrivals, 12).nr, 0);
	recent_files__fini(arrivals);
}

/* An attacker who chooses offsets of his own file must not make them stand for another file. */
static void test_foreseen(void)
{
	struct recent_files *arrivals = begin();
	struct mapping mapping = mapping_of(1, "/home/user/program");

	mapping.offset = hash_word(1, 0) ^ hash_word(2, 0);
	recent_files__note(arrivals, 10, &mapping);
	EXPECT_EQ(each(arrivals, 10).nr, 1);
	note(arrivals, 11, 2);
	EXPECT_EQ(each(arrivals, 11).nr, 1);
	recent_files__fini(arrivals);
}

static void test_not_a_file(void)
{
	struct recent_files *arrivals = begin();

	note(arrivals, 10, 0);
	EXPECT_EQ(each(arrivals, 10).nr, 0);
	recent_files__fini(arrivals);
}

static void test_the_oldest_makes_room(void)
{
	struct recent_files *arrivals = begin();
	uint64_t inode;

	note(arrivals, 10, 1);
	for (inode = 2; inode < 3000; inode++)
		note(arrivals, 11, inode);
	note(arrivals, 12, 3000);
	EXPECT_EQ(each(arrivals, 10).nr, 0);
	EXPECT_EQ(each(arrivals, 12).nr, 1);
	EXPECT(each(arrivals, 11).nr < 2000);
	recent_files__fini(arrivals);
}

int main(void)
{
	static const struct test tests[] = {
		{"each process its own", test_each_process_its_own},
		{"each file once", test_once},
		{"an offset that is made for it", test_foreseen},
		{"what is no file", test_not_a_file},
		{"the oldest makes room", test_the_oldest_makes_room},
		{0},
	};

	return run_tests("unwind_arrivals", tests);
}
