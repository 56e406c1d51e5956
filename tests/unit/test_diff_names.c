// SPDX-License-Identifier: GPL-2.0-only
/*
 * The tools of this world write these names, and each name must have the same normal name again and
 * again.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "diff/matching/names.h"
#include "expect.h"

struct pair {
	const char *name, *normal;
};

static struct compared_names new_names(void)
{
	struct compared_names names;

	compared_names__init(&names);
	return names;
}

static char *apply(const struct compared_names *names, const char *name)
{
	return name_rule__apply_all(names->rules, names->nr_rules, name);
}

static void check_pairs(const struct pair *pairs)
{
	struct compared_names names = new_names();

	for (; pairs->name; pairs++) {
		char *once = apply(&names, pairs->name);
		char *twice = apply(&names, pairs->normal);

		EXPECT_STR(once, pairs->normal);
		EXPECT_STR(twice, pairs->normal); /* a normal name stays */
		free(once);
		free(twice);
	}
	compared_names__fini(&names);
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

/* Copies for kinds of CPUs, and parts; in C, and as both demanglers show them. */
static void test_clones(void)
{
	static const struct pair pairs[] = {
		{"f.avx2", "f"},
		{"f.avx2.0", "f"},
		{"f.avx512f.1", "f"},
		{"f.sse4_2", "f"},
		{"f.sse4.2.1", "f"},
		{"f.aes", "f"},
		{"f.avx512vnni.0", "f"},
		{"ns::f(int) [clone .sse4.2.1]", "ns::f(int)"},
		{"ns::f(int) (.sse4.2.1)", "ns::f(int)"},
		{"f.arch_haswell", "f"},
		{"f.arch_x86_64_v3.0", "f"},
		{"f.default", "f"},
		{"f.default.1", "f"},
		{"ns::f(int) [clone .resolver]", "ns::f(int)"},
		{"f.ifunc", "f"},
		{"f._Msve2", "f"},
		{"f.__part.1", "f"},
		{"f.warm.0", "f"},
		{"ns::f(int) (.warm)", "ns::f(int)"},
		{"f.avx2.constprop.0.cold", "f"},
		{"ns::f(int) [clone .avx2.0]", "ns::f(int)"},
		{"ns::f(int) [clone .arch_haswell]", "ns::f(int)"},
		{"ns::f(int) (.default.1)", "ns::f(int)"},
		{"ns::f(int) (.__part.2)", "ns::f(int)"},
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
		{"LFoo$$Lambda$14/0x0000000800c03000;::run", "LFoo$$Lambda;::run"},
		{"Foo$$Lambda$733.run", "Foo$$Lambda.run"},
		{"Foo$$Lambda/0x00007f3c2c0c1a28.run", "Foo$$Lambda.run"},
		{"Foo$$Lambda.0x00007f3c2c0c1a28.run", "Foo$$Lambda.run"},
		{"Foo$.$anonfun$main$12", "Foo$.$anonfun$main$"},
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

/* These names look like those that are normalized, but stay as they are. */
static void test_untouched(void)
{
	static const struct pair pairs[] = {
		{"main.coldplay", "main.coldplay"},
		{"main.warm", "main.warm"},
		{"net.resolver", "net.resolver"},
		{"f.avx2_sum", "f.avx2_sum"},
		{"f.sse4.2x", "f.sse4.2x"},
		{"JS:default /app/x.default.js:1:2", "JS:default /app/x.default.js:1:2"},
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
	struct compared_names names = new_names();
	struct name_rule rule = {.pattern = pattern, .replacement = replacement};
	char *normal;

	compared_names__clear_rules(&names);
	EXPECT_EQ(compared_names__add_rule(&names, &rule), 0);
	normal = apply(&names, name);
	EXPECT_STR(normal, expected);
	free(normal);
	compared_names__fini(&names);
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
	struct compared_names names = new_names();

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct name_rule rule = {.pattern = bad[i], .replacement = ""};

		EXPECT_EQ(compared_names__add_rule(&names, &rule), -EINVAL);
	}
	compared_names__fini(&names);
}

/* A rule that feeds itself, and a name made to be slow. */
static void test_hostile(void)
{
	struct compared_names names = new_names();
	struct name_rule rule = {.pattern = "a", .replacement = "aa"};
	size_t length = 300000;
	char *name = malloc(length + 1);
	char *normal;

	for (size_t i = 0; i < length; i++)
		name[i] = "#1} (.[0x"[i % 9];
	name[length] = '\0';
	normal = apply(&names, name);
	EXPECT(normal && strlen(normal) < length);
	free(normal);

	EXPECT_EQ(compared_names__add_rule(&names, &rule), 0);
	normal = apply(&names, "a");
	EXPECT_EQ(strlen(normal), 256); /* eight rounds */
	free(normal);
	memset(name, 'a', length);
	normal = apply(&names, name);
	EXPECT_EQ(strlen(normal), length);
	free(normal);
	free(name);
	compared_names__fini(&names);
}

static void test_list(void)
{
	struct compared_names names = new_names();
	struct name_rule own = {.pattern = "_v%d", .replacement = ""};
	size_t nr = 0;
	char *normal;

	for (; nr < names.nr_rules; nr++)
		EXPECT(names.rules[nr].origin[0]);
	EXPECT(nr > 40);
	EXPECT_EQ(compared_names__add_rule(&names, &own), 0);
	EXPECT_STR(names.rules[nr].pattern, "_v%d");
	EXPECT_EQ(names.nr_rules, nr + 1);
	normal = apply(&names, "decode_v3.isra.0");
	EXPECT_STR(normal, "decode");
	free(normal);
	compared_names__fini(&names);
}

static void test_machine_units(void)
{
	struct compared_names names = new_names();

	EXPECT(compared_names__is_machine(&names, "finish_task_switch.isra.0", true));
	EXPECT(compared_names__is_machine(&names, "asm_sysvec_apic_timer_interrupt", true));
	EXPECT(compared_names__is_machine(&names, "sysvec_reschedule_ipi", true));
	EXPECT(compared_names__is_machine(&names, "clear_page_erms", true));
	EXPECT(!compared_names__is_machine(&names, "copy_page", true));
	EXPECT(!compared_names__is_machine(&names, "my_schedule", true));
	EXPECT(!compared_names__is_machine(&names, NULL, true));
	EXPECT_STR(names.machine[0], "finish_task_switch");
	EXPECT_EQ(compared_names__add_machine(&names, "copy_"), 0);
	EXPECT(compared_names__is_machine(&names, "copy_page", true));
	EXPECT_EQ(compared_names__add_machine(&names, ""), -EINVAL);
	compared_names__clear_machine(&names);
	EXPECT(!compared_names__is_machine(&names, "schedule", true));
	EXPECT_EQ(names.nr_machine, 0);
	compared_names__fini(&names);
}

/*
 * All context switches are in __schedule(): no built-in name is the machine's there, but a user's
 * is.
 */
static void test_machine_of_counts(void)
{
	struct compared_names names = new_names();
	char *prefixes[64];
	size_t nr = names.nr_machine;

	EXPECT(!compared_names__is_machine(&names, "__schedule", false));
	EXPECT(compared_names__is_interrupt(&names, "asm_sysvec_x", true));
	EXPECT(!compared_names__is_interrupt(&names, "asm_sysvec_x", false));
	EXPECT_EQ(compared_names__add_machine(&names, "__sch"), 0);
	EXPECT(compared_names__is_machine(&names, "__schedule", false));
	EXPECT(!compared_names__is_machine(&names, "schedule", false));

	/* As a list that was printed is read again. */
	EXPECT(nr > 1 && nr < 64);
	for (size_t i = 0; i < nr; i++)
		prefixes[i] = strdup(names.machine[i]);
	compared_names__clear_machine(&names);
	for (size_t i = 0; i < nr; i++) {
		EXPECT_EQ(compared_names__add_machine(&names, prefixes[i]), 0);
		free(prefixes[i]);
	}
	EXPECT(!compared_names__is_machine(&names, "__schedule", false));

	/* A list of the user's own may hold any name. */
	compared_names__clear_machine(&names);
	EXPECT_EQ(compared_names__add_machine(&names, "__schedule"), 0);
	EXPECT(compared_names__is_machine(&names, "__schedule", false));
	compared_names__fini(&names);
}

int main(void)
{
	static const struct test tests[] = {
		{"names by compilers", test_compilers},
		{"copies for kinds of CPUs, and parts", test_clones},
		{"names by runtimes", test_runtimes},
		{"names that stay", test_untouched},
		{"patterns", test_grammar},
		{"bad patterns", test_bad_patterns},
		{"hostile names and rules", test_hostile},
		{"the list of rules", test_list},
		{"machine units", test_machine_units},
		{"machine units of what is counted", test_machine_of_counts},
		{0},
	};

	return run_tests("diff names", tests);
}
