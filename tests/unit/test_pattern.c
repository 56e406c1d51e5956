// SPDX-License-Identifier: GPL-2.0-only
/* Expressions in the syntax of RE2; the expected matches are those of Go's regexp package. */
#include "base/pattern.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "expect.h"

#define STEPS (1ULL << 24)

/* Matches yes as a whole, and not no. */
static const struct matched {
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
	{"a{02}", "a{02}", "aa"}, /* no zeros before a number */
	{"a{0,01}", "a{0,01}", "a"},
	{"[[:a]", "[", "b"},
	{"a{1,3}b{0,2}", "aaabb", "bb"},
	{"(?:ab*){0,}c", "abbac", "bc"},
	{"(a{1000}){0}b", "b", "ab"},
	{"(a{5}){200}|b", "b", "a"},
	{"a*(?i)*", "aa", "A"},
	{"\\Q\\Qa\\E*", "\\Qaa", "Qa"},
	{"a)(b", "ab", "a"}, /* in ^( and )$ */
	{"a)|(b", "ax", "bx"},
	{"[[:ascii:]]", TEXT_NUL, "\xc2\x80"},
	{"\\" TEXT_NUL, TEXT_NUL, "0"},
};

/* Flag i is of all that Unicode folds to the same: k and the sign of kelvin, s and the long one. */
static const struct matched folded[] = {
	{"(?i)k+", "kK\u212a", "ж"}, {"(?i)Σ+", "σςΣ", "s"},	     {"(?i:ß)", "ẞ", "ss"},
	{"(?i)[^k]", "j", "\u212a"}, {"(?i)\\W", "-", "ſ"},	     {"(?i)[\\W]", "-", "ſ"},
	{"(?i)\\w", "ſ", "-"},	     {"(?i)[[:^lower:]]", "1", "A"}, {"(?i)[ă-ą]", "Ą", "Ć"},
	{"(?i)[Ā-ă]+", "āĂ", "ą"},   {"(?i)[ἐ-ἕ]", "Ἕ", "Ὕ"},
};

static void expect_rows(const struct matched *rows, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		int code;
		struct pattern *pattern = pattern__new(rows[i].expression, &code);
		uint64_t steps = STEPS;

		EXPECT_EQ(code, 0);
		if (!pattern || !pattern__matches(pattern, rows[i].yes, &steps) ||
		    pattern__matches(pattern, rows[i].no, &steps))
			EXPECT_STR(rows[i].expression, "another");
		pattern__free(pattern);
	}
}

static void test_matches(void)
{
	expect_rows(table, sizeof(table) / sizeof(table[0]));
}

static void test_folds(void)
{
	expect_rows(folded, sizeof(folded) / sizeof(folded[0]));
}

static void test_refuses(void)
{
	static const char *const none[] = {"(?i",
					   "(?",
					   "(",
					   ")",
					   "a**",
					   "*a",
					   "a|*",
					   "[a",
					   "[b-a]",
					   "a{2,1}",
					   "a{1001}",
					   "\\8",
					   "\\1",
					   "\\y",
					   "(?x)",
					   "(?P<>a)",
					   "\\x{110000}",
					   "\\",
					   "[[:foo:]]",
					   "(?i-)",
					   "(?-)",
					   "(?i-:a)",
					   "(?-i-s)",
					   "\\Qa",
					   "a{100111}",
					   "a{2,99999999999}",
					   "(a{100}){100}",
					   "((a{2}){3}){200}",
					   "\\é",
					   "a\xff",
					   "(?P<é>a)"};
	static const char all[] = "[!-\\x{10ffff}]";
	char nested[1000] = "", ranges[400 * sizeof(all)] = "(?i)", classes[100000];
	int code;

	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
		EXPECT(!pattern__new(none[i], &code));
		if (code != -EINVAL)
			EXPECT_STR(none[i], "refused");
	}
	EXPECT(!pattern__new("\\pL", &code));
	EXPECT_EQ(code, -EOPNOTSUPP);
	EXPECT(!pattern__new("(abcdefghij){1000}", &code));
	EXPECT_EQ(code, -E2BIG);
	for (size_t i = 0; i < 400; i++)
		memcpy(ranges + 4 + i * (sizeof(all) - 1), all, sizeof(all));
	EXPECT(!pattern__new(ranges, &code));
	EXPECT_EQ(code, -E2BIG);
	for (size_t i = 0; i < sizeof(classes); i++)
		classes[i] = i % 2 ? ':' : '[';
	classes[sizeof(classes) - 1] = '\0';
	EXPECT(!pattern__new(classes, &code));
	EXPECT_EQ(code, -E2BIG);
	memset(nested, '(', sizeof(nested) - 1);
	EXPECT(!pattern__new(nested, &code));
	EXPECT_EQ(code, -E2BIG);
}

/* Engines that try one way after the other take unbearably long for this expression. */
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
		{"case", test_folds},
		{"what is refused", test_refuses},
		{"linear in the text", test_linear},
		{0},
	};

	return run_tests("pattern", tests);
}
