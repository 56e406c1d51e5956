// SPDX-License-Identifier: GPL-2.0-only
/* Rates of several files, in words. */
#include "expect.h"
#include "profile/asked_rates.h"

static void check(const double *rates, size_t nr, const char *words)
{
	struct asked_rates asked = {0};
	char text[64] = "";

	for (size_t i = 0; i < nr; i++)
		asked_rates__add(&asked, rates[i]);
	EXPECT_EQ(asked_rates__format(&asked, text, sizeof(text)), *words != '\0');
	EXPECT_STR(text, words);
}

#define CHECK(words, ...)                    \
	check((const double[]){__VA_ARGS__}, \
	      sizeof((const double[]){__VA_ARGS__}) / sizeof(double), words)

static void test_one(void)
{
	CHECK("", 0);
	CHECK("", 99);
	CHECK("", 99, 99, 0, 99);
}

static void test_some(void)
{
	CHECK("99 and 997", 997, 99, 997);
	CHECK("0.5, 99 and 4,999", 99, 4999, 0.5);
}

static void test_many(void)
{
	CHECK("49 to 4,999", 99, 997, 4999, 49);
	CHECK("1 to 4,999", 99, 997, 4999, 49, 1, 99);
	CHECK("49 to 9,999", 49, 99, 997, 9999, 4999);
}

int main(void)
{
	static const struct test tests[] = {
		{"one", test_one},
		{"two or three", test_some},
		{"more: their range", test_many},
		{0},
	};

	return run_tests("asked_rates", tests);
}
