// SPDX-License-Identifier: GPL-2.0-only
/* When a run that was slowed down tries the rate that was asked for again. */
#include "actions/recovery.h"

#include <stddef.h>

#include "expect.h"

#define MINUTE 60000000000ULL

static void test_not_slowed(void)
{
	struct recovery recovery = {.asked_hz = 99};

	EXPECT(!recovery__is_due(&recovery, 99, MINUTE));
	EXPECT(!recovery__is_due(&recovery, 99, 100 * MINUTE));
	EXPECT(!recovery__is_due(&recovery, 0, 200 * MINUTE)); /* a counted event has no rate */
}

static void test_tries_less_and_less_often(void)
{
	struct recovery recovery = {.asked_hz = 99};
	const uint64_t due[] = {1,  3,	7, 15,
				31, 47, 63}; /* minutes after the first slow interval */
	size_t next = 0;

	for (uint64_t minute = 0; minute < 64; minute++) {
		const bool wanted = next < sizeof(due) / sizeof(due[0]) && minute == due[next];

		EXPECT_EQ(recovery__is_due(&recovery, 24, (10 + minute) * MINUTE), wanted);
		next += wanted;
	}
	EXPECT_EQ(next, sizeof(due) / sizeof(due[0]));
}

static void test_begins_anew_after_success(void)
{
	struct recovery recovery = {.asked_hz = 99};

	EXPECT(!recovery__is_due(&recovery, 24, 10 * MINUTE));
	EXPECT(recovery__is_due(&recovery, 24, 11 * MINUTE));
	EXPECT(!recovery__is_due(&recovery, 99, 12 * MINUTE)); /* it holds, but not for long yet */
	EXPECT(!recovery__is_due(&recovery, 99, 13 * MINUTE));
	EXPECT(!recovery__is_due(&recovery, 24, 14 * MINUTE));
	EXPECT(recovery__is_due(&recovery, 24, 15 * MINUTE));
}

int main(void)
{
	static const struct test tests[] = {
		{"what is not slowed down", test_not_slowed},
		{"tries less and less often", test_tries_less_and_less_often},
		{"begins anew after success", test_begins_anew_after_success},
		{0},
	};

	return run_tests("recovery", tests);
}
