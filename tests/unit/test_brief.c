// SPDX-License-Identifier: GPL-2.0-only
/* Names where there is little room: of C++ what matters, of all others the same. */
#include "views/name.h"

#include <stdlib.h>
#include <string.h>

#include "expect.h"

static void expect_brief(const char *name, const char *expected)
{
	struct fitted_name brief;

	EXPECT_STR(name__fit(name, 0, &brief), expected);
}

static void test_functions(void)
{
	expect_brief("main::f(int, char**) const", "main::f");
	expect_brief("void ns::f<std::pair<int, char> >(ns::g<int>, void (*)(int))", "ns::f<>");
	expect_brief("v8::internal::MaybeHandle<v8::internal::Object> "
		     "v8::internal::JsonParser<unsigned char>::Parse()",
		     "v8::internal::JsonParser<>::Parse");
	expect_brief("v8::(anonymous namespace)::Get(v8::X*)", "v8::(anonymous namespace)::Get");
	expect_brief("std::function<void (int)>::operator()(int) const",
		     "std::function<>::operator()");
	expect_brief("main::{lambda(int)#1}::operator()(int) const",
		     "main::{lambda(int)#1}::operator()");
	expect_brief("ns::a ns::f<int>(int) [clone .part.0] [clone .cold]", "ns::f<>");
	expect_brief("int java.util.Map.size(long)", "java.util.Map.size");
}

static void test_operators(void)
{
	expect_brief("std::ostream& std::operator<< <char>(std::ostream&, char)",
		     "std::operator<< <>");
	expect_brief("bool ns::operator<(ns::a, ns::a)", "ns::operator<");
	expect_brief("ns::p<int>::operator->() const", "ns::p<>::operator->");
	expect_brief("operator new(unsigned long)", "operator new");
	expect_brief("ns::a::operator bool() const", "ns::a::operator bool");
	expect_brief("void my_operator<int>(int)", "my_operator<>");
}

static void test_others(void)
{
	static const char *const names[] = {
		"",
		"main",
		"memcpy@plt",
		"JS:*f /a b/n.js:1:14",
		"main.(*T).Method",
		"(name)",
		"f)",
		"a > b)",
		"<a as b::C<d>>::e",
		"[anon]",
		")",
		" const",
		"<<<<",
		"operator",
		"operator<",
		" [clone .",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		expect_brief(names[i], names[i]);
	expect_brief("<>()", "<>");
	expect_brief(">>>a(", ">>>a(");
	expect_brief(">x<()", ">x<");
}

static void test_room(void)
{
	struct fitted_name brief;
	char name[2 * BRIEF_SIZE];
	char *long_name = malloc(1 << 20);

	EXPECT_STR(name__fit("void f(int)", 11, &brief), "void f(int)");
	EXPECT_STR(name__fit("void f(int)", 10, &brief), "f");
	memset(name, 'a', sizeof(name));
	memcpy(name + sizeof(name) - 3, "()", 3);
	EXPECT_EQ(strlen(name__fit(name, 0, &brief)), BRIEF_SIZE - 1);
	EXPECT(long_name != NULL);
	memset(long_name, '(', 1 << 20);
	memcpy(long_name + (1 << 20) - 2, ")", 2);
	EXPECT(name__fit(long_name, 0, &brief) == long_name);
	free(long_name);
}

int main(void)
{
	static const struct test tests[] = {
		{"functions", test_functions},
		{"operators", test_operators},
		{"names that are no functions of C++", test_others},
		{"room", test_room},
		{0},
	};

	return run_tests("brief", tests);
}
