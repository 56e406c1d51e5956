// SPDX-License-Identifier: GPL-2.0-only
/* Names as the tools of this world write them, and what must be the same name again and again. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "diff/machine_units.h"
#include "diff/names.h"
#include "expect.h"

struct pair {
	const char *name, *normal;
};

static void check_pairs(const struct pair *pairs)
{
	struct name_rules *rules = name_rules__new();

	EXPECT(rules);
	for (; rules && pairs->name; pairs++) {
		char *once = name_rules__apply(rules, pairs->name);
		char *twice = name_rules__apply(rules, pairs->normal);

		EXPECT_STR(once, pairs->normal);
		EXPECT_STR(twice, pairs->normal); /* a normal name stays */
		free(once);
		free(twice);
	}
	name_rules__free(rules);
}

static void test_compilers(void)
{
	static const struct pair pairs[] = {
		{"foo.isra.0", "foo"},
		{"foo.part.12", "foo"},
		{"foo.constprop.0.isra.0.cold", "foo"},
		{"foo.cold", "foo"},
		{"foo.cold.3", "foo"},
		{"foo.llvm.12345678901234567890", "foo"},
		{"foo.__uniq.98765.llvm.1", "foo"},
		{"foo.lto_priv.0", "foo"},
		{"main._omp_fn.3", "main._omp_fn"},
		{"ns::f(int) [clone .isra.0] [clone .cold]", "ns::f(int)"},
		{"ns::f(int) [clone ._omp_fn.2]", "ns::f(int)._omp_fn"},
		{"ns::f(int) (.llvm.44)", "ns::f(int)"},
		{"ns::f(int) (.cold.1)", "ns::f(int)"},
		{"memcpy@@GLIBC_2.14", "memcpy"},
		{"sort<main::{lambda(int)#1}>", "sort<main::{lambda(int)}>"},
		{"main::{unnamed type#2}::f()", "main::{unnamed type}::f()"},
		{"main::'lambda3'(int)::operator()", "main::'lambda'(int)::operator()"},
		{"main::$_12::operator()", "main::$_::operator()"},
		{"core::fmt::write::h0123456789abcdef", "core::fmt::write"},
		{"app[317d481089b8c8fe]::main::{closure#0}", "app::main::{closure}"},
		{0},
	};

	check_pairs(pairs);
}

static void test_runtimes(void)
{
	static const struct pair pairs[] = {
		{"main.main.func1", "main.main.func"},
		{"main.(*T).Run.func2.1.3", "main.(*T).Run.func"},
		{"main.f.func1-range2", "main.f.func-range"},
		{"main.f.gowrap3", "main.f.gowrap"},
		{"LFoo;::lambda$main$0", "LFoo;::lambda$main$"},
		{"LFoo$$Lambda$14/0x0000000800c03000;::run", "LFoo$$Lambda/0x*;::run"},
		{"jdk.internal.reflect.GeneratedMethodAccessor7::invoke",
		 "jdk.internal.reflect.GeneratedMethodAccessor::invoke"},
		{"int32 [app] Program::Main()[OptimizedTier1]", "int32 [app] Program::Main()"},
		{"JS:*render /app/x.js:10:5", "JS:render /app/x.js:10:5"},
		{"JS:~render /app/x.js:10:5", "JS:render /app/x.js:10:5"},
		{"LazyCompile:*f x.js:1", "LazyCompile:f x.js:1"},
		{"TRACE_12::loop.lua:3", "TRACE_::loop.lua:3"},
		{"evalexpr_0_17", "evalexpr"},
		{"bpf_prog_6deef7357e7b4530_sd_fw", "bpf_prog_sd_fw"},
		{"bpf_prog_6deef7357e7b4530", "bpf_prog"},
		{"0x7f3a12345678", "0x*"},
		{"libfoo.so.1+0x1a2b", "libfoo.so.1+0x*"},
		{0},
	};

	check_pairs(pairs);
}

/* What looks alike and is not. */
static void test_untouched(void)
{
	static const struct pair pairs[] = {
		{"main.coldplay", "main.coldplay"},
		{"py::Worker.func1:/app/x.py", "py::Worker.func1:/app/x.py"},
		{"f<[u8; 16]>::g", "f<[u8; 16]>::g"},
		{"ns::f[abi:cxx11](int)", "ns::f[abi:cxx11](int)"},
		{"read@plt", "read@plt"},
		{"sha256_transform", "sha256_transform"},
		{"int0x80_entry", "int0x80_entry"},
		{"x::hash::h012345", "x::hash::h012345"},
		{"", ""},
		{"[unknown]", "[unknown]"},
		{0},
	};

	check_pairs(pairs);
}

static void check_rule(const char *pattern, const char *replacement, const char *name,
		       const char *expected)
{
	struct name_rules *rules = name_rules__new();
	struct name_rule rule = {.pattern = pattern, .replacement = replacement};
	char *normal;

	name_rules__clear(rules);
	EXPECT_EQ(name_rules__add(rules, &rule), 0);
	normal = name_rules__apply(rules, name);
	EXPECT_STR(normal, expected);
	free(normal);
	name_rules__free(rules);
}

static void test_grammar(void)
{
	check_rule("%d", "N", "a1b22c", "aNbNc");
	check_rule("^a", "", "aab", "b");
	check_rule("b$", "", "abb", "a");
	check_rule("x%4xy", "-", "x12afy x12aff0y", "- x12aff0y");
	check_rule("x%3+xy", "-", "x12afy x12y", "- x12y");
	check_rule("<%i>", "(%1)", "<a_1> <a.b>", "(a_1) <a.b>");
	check_rule("<%w>", "%1", "<a.b$c>", "a.b$c");
	check_rule("%[!?]z", "", "a!z?zz", "az");
	check_rule("%%%^[%$", "", "x%^[$", "x");
}

static void test_bad_patterns(void)
{
	static const char *const bad[] = {"",	"^",  "$",   "%",    "%q",
					  "%5", "a%", "%[]", "%[ab", "%12"};
	struct name_rules *rules = name_rules__new();

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct name_rule rule = {.pattern = bad[i], .replacement = ""};

		EXPECT_EQ(name_rules__add(rules, &rule), -EINVAL);
	}
	name_rules__free(rules);
}

/* A rule that feeds itself, and a name made to be slow. */
static void test_hostile(void)
{
	struct name_rules *rules = name_rules__new();
	struct name_rule rule = {.pattern = "a", .replacement = "aa"};
	size_t length = 300000;
	char *name = malloc(length + 1);
	char *normal;

	for (size_t i = 0; i < length; i++)
		name[i] = "#1} (.[0x"[i % 9];
	name[length] = '\0';
	normal = name_rules__apply(rules, name);
	EXPECT(normal && strlen(normal) < length);
	free(normal);

	EXPECT_EQ(name_rules__add(rules, &rule), 0);
	normal = name_rules__apply(rules, "a");
	EXPECT_EQ(strlen(normal), 256); /* eight rounds */
	free(normal);
	memset(name, 'a', length);
	normal = name_rules__apply(rules, name);
	EXPECT_EQ(strlen(normal), length);
	free(normal);
	free(name);
	name_rules__free(rules);
}

static void test_list(void)
{
	struct name_rules *rules = name_rules__new();
	struct name_rule own = {.pattern = "_v%d", .replacement = ""};
	size_t nr = 0;
	char *normal;

	while (name_rules__rule(rules, nr)) {
		EXPECT(name_rules__rule(rules, nr)->origin[0]);
		nr++;
	}
	EXPECT(nr > 40);
	EXPECT_EQ(name_rules__add(rules, &own), 0);
	EXPECT_STR(name_rules__rule(rules, nr)->pattern, "_v%d");
	EXPECT(!name_rules__rule(rules, nr + 1));
	normal = name_rules__apply(rules, "decode_v3.isra.0");
	EXPECT_STR(normal, "decode");
	free(normal);
	name_rules__free(rules);
	name_rules__free(NULL);
}

static void test_machine_units(void)
{
	struct machine_units *units = machine_units__new();

	EXPECT(machine_units__match(units, "finish_task_switch.isra.0"));
	EXPECT(machine_units__match(units, "asm_sysvec_apic_timer_interrupt"));
	EXPECT(machine_units__match(units, "sysvec_reschedule_ipi"));
	EXPECT(machine_units__match(units, "clear_page_erms"));
	EXPECT(!machine_units__match(units, "copy_page"));
	EXPECT(!machine_units__match(units, "my_schedule"));
	EXPECT(!machine_units__match(units, NULL));
	EXPECT_STR(machine_units__prefix(units, 0), "finish_task_switch");
	EXPECT_EQ(machine_units__add(units, "copy_"), 0);
	EXPECT(machine_units__match(units, "copy_page"));
	EXPECT_EQ(machine_units__add(units, ""), -EINVAL);
	machine_units__clear(units);
	EXPECT(!machine_units__match(units, "schedule"));
	EXPECT(!machine_units__prefix(units, 0));
	machine_units__free(units);
	machine_units__free(NULL);
}

int main(void)
{
	static const struct test tests[] = {
		{"names by compilers", test_compilers},
		{"names by runtimes", test_runtimes},
		{"names that stay", test_untouched},
		{"patterns", test_grammar},
		{"bad patterns", test_bad_patterns},
		{"hostile names and rules", test_hostile},
		{"the list of rules", test_list},
		{"machine units", test_machine_units},
		{0},
	};

	return run_tests("diff names", tests);
}
