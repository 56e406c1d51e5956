// SPDX-License-Identifier: GPL-2.0-only
/* Probes of malloc may cost so much, and a sentence tells when they cost more. */
#include "capture/probes/allocator_cost.h"

#include <stdio.h>
#include <string.h>

#include "expect.h"

static bool is_borne(double calls, double own, double max_share)
{
	const struct allocator_cost cost = {.calls = calls, .call_ns = 1000, .own = own};

	return allocator_cost__is_borne(&cost, max_share);
}

static void test_unsaid(void)
{
	EXPECT(is_borne(0, 0, 0));
	EXPECT(is_borne(9999, 0, 0)); /* under 1 % of a CPU, however little the process does */
	EXPECT(!is_borne(10001, 0.01, 0));
	EXPECT(is_borne(249000, 0.5, 0)); /* half of the process's own CPU time */
	EXPECT(!is_borne(251000, 0.5, 0));
	EXPECT(is_borne(2000000, 4, 0));
}

static void test_said(void)
{
	EXPECT(is_borne(50000, 0, 0.05));
	EXPECT(!is_borne(50001, 4, 0.05));
	EXPECT(is_borne(3000000, 0.1, 4));
}

static void test_refusal(void)
{
	const struct allocator_cost cost = {.calls = 300000, .call_ns = 900, .own = 0.4};
	struct error err = {0};

	EXPECT(allocator_cost__refuse(&cost, 7, "redis\nserver", &err) < 0);
	EXPECT_EQ(err.exit_code, EXIT_SYSTEM);
	EXPECT(strstr(err.text, "malloc is called 300,000 times a second by \"redis"));
	EXPECT(strstr(err.text, "(process 7), and a probe costs 0.9 us a call: 27 % of a CPU"));
	EXPECT(strstr(err.text, "--max-overhead 33"));
	EXPECT(!strchr(err.text, '\n'));
	puts(err.text);
}

int main(void)
{
	static const struct test tests[] = {
		{"nothing was said", test_unsaid},
		{"a bound was said", test_said},
		{"what is said of too much", test_refusal},
		{0},
	};

	return run_tests("allocator_cost", tests);
}
