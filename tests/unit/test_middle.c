// SPDX-License-Identifier: GPL-2.0-only
/* Long names lose their middle, at a place that depends on the room alone. */
#include <string.h>

#include "base/middle.h"
#include "base/text.h"
#include "expect.h"

static char shortened[MIDDLE_SIZE];

static const char *shorten(const char *text, size_t most)
{
	return middle__shorten(text, most, shortened);
}

static const char *shorten_function(const char *name, size_t most)
{
	return middle__shorten_function(name, most, shortened);
}

static void test_ends(void)
{
	static const char ten[] = "0123456789";

	EXPECT(shorten(ten, 10) == ten);
	EXPECT_STR(shorten(ten, 9), "012…56789");
	EXPECT_STR(shorten(ten, 5), "0…789");
	EXPECT_STR(shorten(ten, 2), "…9");
	EXPECT_STR(shorten(ten, 1), "…");
	EXPECT_STR(shorten("", 1), "");
}

/* Wide and escaped characters are shown whole or not at all. */
static void test_columns(void)
{
	EXPECT_STR(shorten("漢字漢字漢字", 9), "漢…漢字");
	EXPECT_STR(shorten("\001\001\001\001", 11), "…\001");
	for (size_t most = 1; most < 40; most++)
		EXPECT(text__width(shorten("ab漢\x80\u202e字 and more\xff\x01漢 of it, to the end",
					   most)) <= most);
}

static void test_most(void)
{
	char text[5000], first[61];

	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = (char)('a' + i % 23);
	text[sizeof(text) - 1] = '\0';
	memcpy(first, text, 60);
	first[60] = '\0';
	EXPECT_EQ(text__width(shorten(text, MIDDLE_MOST)), MIDDLE_MOST);
	EXPECT(!strncmp(shortened, first, 60) && !strncmp(shortened + 60, "…", 3));
	EXPECT_STR(shortened + 63, text + sizeof(text) - 1 - 99);
	EXPECT_EQ(text__width(shorten(text, 100000)), MIDDLE_WIDEST);
}

/* The return type would take the room of the function's name, so it goes first. */
static void test_returned(void)
{
	static const char name[] =
		"ns::iterator<unsigned long*, std::vector<unsigned long> > ns::partition<ns::less>"
		"(ns::iterator<unsigned long*, std::vector<unsigned long> >, ns::less)";

	EXPECT(shorten_function(name, strlen(name)) == name);
	EXPECT(shorten_function(name, 0) == name);
	EXPECT(shorten_function(name, strlen(name) - 1) == strstr(name, "ns::partition"));
	EXPECT_STR(shorten_function(name, 50),
		   "ns::partition<ns::…tor<unsigned long> >, ns::less)");
	EXPECT_STR(shorten_function("one two three four", 9), "one… four");
	EXPECT_STR(shorten("void f(int)", 9), "voi…(int)");
	EXPECT_STR(shorten_function("void f(int)", 9), "f(int)");
	EXPECT_STR(shorten_function("bool ns::operator<(ns::a, ns::b) const", 37),
		   "ns::operator<(ns::a, ns::b) const");
}

int main(void)
{
	static const struct test tests[] = {
		{"both ends are shown", test_ends},
		{"columns, not bytes", test_columns},
		{"where nothing else bounds it", test_most},
		{"what a function returns goes first", test_returned},
		{0},
	};

	return run_tests("middle", tests);
}
