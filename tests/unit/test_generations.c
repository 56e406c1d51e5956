// SPDX-License-Identifier: GPL-2.0-only
/* Sets that cannot be replaced. Whoever may make BPF maps cannot make them without descriptors. */
#include "expect.h"

#include <sys/resource.h>

#include "capture/generations.h"
#include "capture/map_calls.h"
#include "capture/raw_stacks.h"

#define NR_KEYS 2000 /* of 2,048 */

static void forbid_descriptors(struct rlimit *before)
{
	struct rlimit none;

	getrlimit(RLIMIT_NOFILE, before);
	none = *before;
	none.rlim_cur = 0;
	setrlimit(RLIMIT_NOFILE, &none);
}

/* More than half is taken, and there is room for a third set beside the two. */
static void test_old_set_is_kept(void)
{
	struct generations generations;
	struct map_calls map_calls = {0};
	struct error err = {0};
	struct rlimit before;
	struct set *set = &generations.sets[0];

	generations__init(&generations, 127, 1 << 30, &map_calls);
	generations.raw_stacks = raw_stacks__new();
	set->shape = (struct set_shape){.capacity = 1024, .max_depth = 127};
	set->nr_used[SET_COUNTS] = NR_KEYS;
	forbid_descriptors(&before);
	EXPECT_EQ(generations__renew(&generations, 0, &err), 0);
	setrlimit(RLIMIT_NOFILE, &before);
	EXPECT_EQ(set->shape.capacity, 1024);
	EXPECT_EQ(set->nr_used[SET_COUNTS], NR_KEYS);
	generations__close(&generations);
}

int main(void)
{
	static const struct test tests[] = {
		{"a set that cannot be replaced stays in use", test_old_set_is_kept},
		{0},
	};

	return run_tests("generations", tests);
}
