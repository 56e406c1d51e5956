// SPDX-License-Identifier: GPL-2.0-only
/* Lists of regions in a mapped array, for which a file in memory stands in. */
#include "capture/unwinding/internal.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "expect.h"

#define NR 64

static struct unwind_region *seen;

static struct unwind_lists *open_lists(void)
{
	int fd = memfd_create("regions", MFD_CLOEXEC);
	struct unwind_lists *lists;

	EXPECT_EQ(ftruncate(fd, NR * sizeof(*seen)), 0);
	seen = mmap(NULL, NR * sizeof(*seen), PROT_READ, MAP_SHARED, fd, 0);
	lists = unwind_lists__new(fd, NR);
	EXPECT(seen != MAP_FAILED && lists);
	close(fd);
	return lists;
}

static void close_lists(struct unwind_lists *lists)
{
	munmap(seen, NR * sizeof(*seen));
	unwind_lists__free(lists);
}

static void test_lists(void)
{
	const struct unwind_region regions[17] = {
		[0] = {.start = 1, .end = 2}, [16] = {.start = 17}};
	struct unwind_lists *lists = open_lists();
	struct unwind_regions first, second, third;

	EXPECT_EQ(unwind_lists__add(lists, regions, 1, &first), 0);
	EXPECT_EQ(unwind_lists__add(lists, regions, 17, &second), 0);
	EXPECT_EQ(first.nr, 1);
	EXPECT_EQ(second.nr, 17);
	EXPECT(second.first >= first.first + 1);
	EXPECT_EQ(seen[first.first].end, 2);
	EXPECT_EQ(seen[second.first + 16].start, 17);
	/* 64 = 16 + 32 + 16: room for 16 and no more. */
	EXPECT_EQ(unwind_lists__add(lists, regions, 17, &third), -ENOSPC);
	EXPECT_EQ(unwind_lists__add(lists, regions, 16, &third), 0);
	EXPECT_EQ(unwind_lists__add(lists, regions, 1, &third), -ENOSPC);
	close_lists(lists);
}

/* A program may still read a removed list, until a grace period has passed. */
static void test_grace(void)
{
	const struct unwind_region old[NR] = {[0] = {.start = 1}, [NR - 1] = {.start = 2}};
	const struct unwind_region fresh = {.start = 3};
	struct unwind_lists *lists = open_lists();
	struct unwind_regions list, next;

	EXPECT_EQ(unwind_lists__add(lists, old, NR, &list), 0);
	unwind_lists__remove(lists, &list);
	EXPECT_EQ(unwind_lists__add(lists, &fresh, 1, &next), -ENOSPC);
	EXPECT_EQ(seen[list.first].start, 1);
	unwind_lists__settle(lists);
	EXPECT_EQ(unwind_lists__add(lists, &fresh, 1, &next), 0);
	EXPECT_EQ(seen[next.first].start, 3);
	unwind_lists__settle(lists); /* used lists stay */
	EXPECT_EQ(unwind_lists__add(lists, old, NR, &list), -ENOSPC);
	close_lists(lists);
}

int main(void)
{
	static const struct test tests[] = {
		{"lists lie side by side", test_lists},
		{"room is used again after a grace period", test_grace},
		{0},
	};

	return run_tests("unwind_regions", tests);
}
