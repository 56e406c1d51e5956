// SPDX-License-Identifier: GPL-2.0-only
/* The name of an output tells the output's format. */
#include "run/ending.h"

#include <stddef.h>

#include "expect.h"

static void test_formats(void)
{
	EXPECT_STR(ending__format("x.html"), "html");
	EXPECT_STR(ending__format("a.b/x.svg"), "svg");
	EXPECT(!ending__format("x.pb.gz"));
	EXPECT(!ending__format("x.html.gz"));
	EXPECT(!ending__format("html"));
	EXPECT(!ending__format("-"));
	EXPECT(!ending__format(NULL));
}

int main(void)
{
	static const struct test tests[] = {
		{"formats", test_formats},
		{0},
	};

	return run_tests("ending", tests);
}
