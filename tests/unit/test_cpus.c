// SPDX-License-Identifier: GPL-2.0-only
#include "expect.h"

#include <errno.h>
#include <string.h>

#include "capture/host/cpus.h"

static void expect_cpus(const char *list, const char *expected)
{
	bool cpus[8];
	char got[9] = "";
	size_t i;

	cpu_list__parse(list, cpus, 8);
	for (i = 0; i < 8; i++)
		got[i] = cpus[i] ? 'x' : '.';
	EXPECT_STR(got, expected);
}

static void test_lists(void)
{
	expect_cpus("0-3,6\n", "xxxx..x.");
	expect_cpus("0\n", "x.......");
	expect_cpus("7-200\n", ".......x"); /* more than there are */
	expect_cpus("5-2,4\n", "....x...");
	expect_cpus("18446744073709551615,1\n", ".x......");
	expect_cpus("1-\n", "........");
	expect_cpus("", "........");
	expect_cpus("none", "........");
}

static void test_wanted(void)
{
	bool online[] = {true, true, false, true}, wanted[] = {false, true, true};
	struct cpus cpus = {.online = online, .nr_possible = 4};

	EXPECT_EQ(cpus__count(&cpus), 3);
	EXPECT_EQ(cpus__next(&cpus, 2), 3);
	cpus.wanted = wanted;
	cpus.nr_wanted = 3;
	EXPECT_EQ(cpus__count(&cpus), 1);
	EXPECT_EQ(cpus__next(&cpus, 0), 1);
	EXPECT_EQ(cpus__next(&cpus, 2), 4);
	EXPECT(!cpus__is_wanted(&cpus, 3));
}

static void test_refusal(void)
{
	static const bool none[1] = {false};
	struct error err = {0};
	struct cpus cpus;

	EXPECT_EQ(cpus__open(&cpus, none, 1, &err), -ENODEV);
	EXPECT(strstr(err.text, "none of the CPUs asked for is online (online: 0") != NULL);
	EXPECT_EQ(cpus__open(&cpus, NULL, 0, &err), 0);
	EXPECT(cpus__count(&cpus) > 0);
	cpus.online[0] = !cpus.online[0];
	cpus.returned[0] = true;
	EXPECT_EQ(cpus__refresh(&cpus, &err), 1);
	EXPECT(!cpus.returned[0]);
	EXPECT_EQ(cpus__refresh(&cpus, &err), 0);
	cpus__close(&cpus);
}

int main(void)
{
	static const struct test tests[] = {
		{"lists of CPUs", test_lists},
		{"those that are wanted and online", test_wanted},
		{"none that is wanted is online", test_refusal},
		{0},
	};

	return run_tests("cpus", tests);
}
