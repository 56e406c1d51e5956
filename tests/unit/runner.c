// SPDX-License-Identifier: GPL-2.0-only
#include "expect.h"

#include <CUnit/Basic.h>
#include <CUnit/CUnit.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

int run_tests(const char *suite_name, const struct test *tests)
{
	CU_pSuite suite;
	unsigned int failed;

	if (CU_initialize_registry() != CUE_SUCCESS)
		return 1;
	suite = CU_add_suite(suite_name, NULL, NULL);
	for (; suite && tests->name; tests++)
		if (!CU_add_test(suite, tests->name, tests->run))
			suite = NULL;
	if (!suite)
		return 1;
	CU_basic_set_mode(CU_BRM_NORMAL);
	CU_basic_run_tests();
	failed = CU_get_number_of_failures();
	if (CU_get_number_of_tests_run() == 0)
		failed = 1;
	CU_cleanup_registry();
	return failed ? 1 : 0;
}

static void report(bool ok, const char *message, const char *file, int line)
{
	CU_assertImplementation(ok ? CU_TRUE : CU_FALSE, (unsigned int)line, message, file, "",
				CU_FALSE);
	if (!ok)
		fprintf(stderr, "\n%s:%d: %s\n", file, line, message);
}

void expect_true(bool actual, const char *expression, const char *file, int line)
{
	report(actual, expression, file, line);
}

void expect_eq(long long actual, long long expected, const char *expression, const char *file,
	       int line)
{
	char message[512];

	snprintf(message, sizeof(message), "%s is %lld (0x%llx), expected %lld (0x%llx)",
		 expression, actual, (unsigned long long)actual, expected,
		 (unsigned long long)expected);
	report(actual == expected, message, file, line);
}

void expect_near(double actual, double expected, double tolerance, const char *expression,
		 const char *file, int line)
{
	char message[512];

	snprintf(message, sizeof(message), "%s is %.12g, expected %.12g +- %g", expression, actual,
		 expected, tolerance);
	report(fabs(actual - expected) <= tolerance, message, file, line);
}

void expect_str(const char *actual, const char *expected, const char *expression, const char *file,
		int line)
{
	char message[4096];

	snprintf(message, sizeof(message), "%s is \"%s\", expected \"%s\"", expression,
		 actual ? actual : "(null)", expected ? expected : "(null)");
	report(actual == expected || (actual && expected && !strcmp(actual, expected)), message,
	       file, line);
}
