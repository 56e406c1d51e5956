// SPDX-License-Identifier: GPL-2.0-only
/* Expressions in the syntax of RE2; what each matches was asked of Go's regexp package. */
#include "base/pattern.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"

#define STEPS (1ULL << 24)

/* Matches yes as a whole, and not no. */
static const struct {
	const char *expression, *yes, *no;
} table[] = {
	{"", "", "a"},
	{"a|bc|", "bc", "abc"},
	{"(a|b)*c", "ababc", "abab"},
	{"a{2,3}", "aaa", "aaaa"},
	{"a{2}{", "aa{", "aa"},
	{"(?:ab){0,2}", "abab", "ababab"},
	{"a{0}b", "b", "ab"},
	{"a{2,}?", "aaaaa", "a"},
	{".*?::alloc", "std::alloc", "alloc"},
	{"a.c",
	 "a\xc3\xa9"
	 "c",
	 "a\nc"},
	{"(?s)a.c", "a\nc", "ac"},
	{"a.c",
	 "a\xff"
	 "c",
	 "a\xff\xff"
	 "c"}, /* a byte that is no UTF-8 is a character */
	{"(?i)Tc_New", "tC_nEW", "tc_ne"},
	{"(?i:a)b", "Ab", "AB"},
	{"(?P<name>a)(?-i)b", "ab", "a"},
	{"[^a-c]+", "xyz", "xbz"},
	{"[]a-]+", "]-a", "b"},
	{"[[:alpha:]][[:^digit:]]", "a_", "a1"},
	{"\\w+\\W\\d\\s\\S", "ab-1 x", "ab-1xx"},
	{"\\x41\\x{42}\\103\\.\\t", "ABC.\t", "ABCx\t"},
	{"\\Qa.b*\\E+", "a.b**", "aab*"},
	{"\\bnew\\b.*", "new x", "newx"},
	{"(?m)a$\n^b", "a\nb", "ab"},
	{"^\\Aa\\z$", "a", "aa"},
	{"(malloc|calloc|realloc|operator new(\\[\\])?|(.*::)?Alloc.*)", "x::AllocHelper",
	 "mallocs"},
};

static void test_matches(void)
{
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		int code;
		struct pattern *pattern = pattern__new(table[i].expression, &code);
		uint64_t steps = STEPS;

		EXPECT_EQ(code, 0);
		if (!pattern || !pattern__matches(pattern, table[i].yes, &steps) ||
		    pattern__matches(pattern, table[i].no, &steps))
			EXPECT_STR(table[i].expression, "another");
		pattern__free(pattern);
	}
}

static void test_refuses(void)
{
	static const char *const none[] = {"(?i",     "(?",	     "(",   ")",	"a**",
					   "*a",      "a|*",	     "[a",  "[b-a]",	"a{2,1}",
					   "a{1001}", "\\8",	     "\\1", "\\y",	"(?x)",
					   "(?P<>a)", "\\x{110000}", "\\",  "[[:foo:]]"};
	char nested[1000] = "";
	int code;

	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
		EXPECT(!pattern__new(none[i], &code));
		if (code != -EINVAL)
			EXPECT_STR(none[i], "refused");
	}
	EXPECT(!pattern__new("\\pL", &code));
	EXPECT_EQ(code, -EOPNOTSUPP);
	EXPECT(!pattern__new("((a{100}){100}){100}", &code));
	EXPECT_EQ(code, -E2BIG);
	memset(nested, '(', sizeof(nested) - 1);
	EXPECT(!pattern__new(nested, &code));
	EXPECT_EQ(code, -E2BIG);
}

/* What takes engines that try one way after the other longer than anybody waits. */
static void test_linear(void)
{
	char text[2000];
	int code;
	struct pattern *pattern = pattern__new("(a*)*(a|aa)+(.*.*.*)*b", &code);
	uint64_t steps = STEPS;

	memset(text, 'a', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	EXPECT(!pattern__matches(pattern, text, &steps));
	EXPECT(STEPS - steps < 100 * sizeof(text));
	text[sizeof(text) - 2] = 'b';
	EXPECT(pattern__matches(pattern, text, &steps));
	steps = sizeof(text);
	EXPECT(!pattern__matches(pattern, text, &steps));
	EXPECT_EQ(steps, 0);
	pattern__free(pattern);
}

int main(void)
{
	static const struct test tests[] = {
		{"matches as RE2 does", test_matches},
		{"what is refused", test_refuses},
		{"linear in the text", test_linear},
		{0},
	};

	return run_tests("pattern", tests);
}
