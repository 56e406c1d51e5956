/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * CUnit with failures that say what was there and what should have been; and one main for all.
 *
 *	static void test_gap(void) { EXPECT_EQ(find(7), 3); }
 *	int main(int argc, char **argv)
 *	{
 *		static const struct test tests[] = {{"an address in a gap", test_gap}, {0}};
 *		return run_tests("elf", tests);
 *	}
 */
#ifndef TOPSTACKS_TESTS_EXPECT_H
#define TOPSTACKS_TESTS_EXPECT_H

#include <stdbool.h>

struct test {
	const char *name;
	void (*run)(void);
};

/* Runs a table that ends in a zero row. Returns the exit code for main. */
int run_tests(const char *suite, const struct test *tests);

void expect_true(bool actual, const char *expression, const char *file, int line);
void expect_eq(long long actual, long long expected, const char *expression, const char *file,
	       int line);
void expect_near(double actual, double expected, double tolerance, const char *expression,
		 const char *file, int line);
void expect_str(const char *actual, const char *expected, const char *expression, const char *file,
		int line);

#define EXPECT(expression) expect_true(expression, #expression, __FILE__, __LINE__)
#define EXPECT_EQ(actual, expected) \
	expect_eq((long long)(actual), (long long)(expected), #actual, __FILE__, __LINE__)
#define EXPECT_NEAR(actual, expected, tolerance) \
	expect_near(actual, expected, tolerance, #actual, __FILE__, __LINE__)
#define EXPECT_STR(actual, expected) expect_str(actual, expected, #actual, __FILE__, __LINE__)

#endif
