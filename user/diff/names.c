// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names to compare by. The same function is foo.isra.0 in one build and foo in the next, the same
 * closure #1 here and #2 there, the same jitted code at another address in every run.
 */
#include "diff/names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* f(int) [clone .isra.0] -> f(int).isra.0, which those of compilers know */
static const struct name_rule spellings[] = {
	{" [clone .%w]", ".%1", "GNU demangler"},
	{" (.%w)", ".%1", "LLVM demangler"},
};

static const struct name_rule built_in[] = {
	{"._omp_fn.%d%b", "._omp_fn", "GCC"},
	{".omp_outlined..%d%b", ".omp_outlined.", "LLVM"},
	{"@@%w$", "", "symbol versions"},
	{"@GLIBC_%w$", "", "symbol versions"},
	/* {lambda(int)#1}, {unnamed type#2}, {closure#0}, {impl#3} */
	{"#%d}", "}", "C++, Rust"},
	{"'lambda%d'", "'lambda'", "C++ lambdas by LLVM"},
	{"'unnamed%d'", "'unnamed'", "C++ types by LLVM"},
	{"$_%d%b", "$_", "C++ lambdas by old clang"},
	{"::h%16x%b", "", "Rust"},
	/* mycrate[317d481089b8c8fe]::main */
	{"[%8+x]::", "::", "Rust"},
	/* not Python's C.func1:/x.py */
	{".func%d$", ".func", "Go"},
	{".func%d.", ".func.", "Go"},
	{".func%d-", ".func-", "Go"},
	{".func.%d%b", ".func", "Go"},
	{".gowrap%d%b", ".gowrap", "Go"},
	{".deferwrap%d%b", ".deferwrap", "Go"},
	{"-range%d%b", "-range", "Go"},
	{"lambda$%i$%d%b", "lambda$%1$", "Java"},
	{"$$Lambda$%d%b", "$$Lambda", "Java"},
	{"$Proxy%d%b", "$Proxy", "Java"},
	{"GeneratedMethodAccessor%d%b", "GeneratedMethodAccessor", "Java"},
	{"GeneratedConstructorAccessor%d%b", "GeneratedConstructorAccessor", "Java"},
	{"CGLIB$$%x%b", "CGLIB$$", "Java"},
	{"c__DisplayClass%d_%d%b", "c__DisplayClass", ".NET"},
	{">b__%d_%d%b", ">b__", ".NET"},
	{"[PreJIT]$", "", ".NET"},
	{"[QuickJitted]$", "", ".NET"},
	{"[Tier0]$", "", ".NET"},
	{"[Optimized]$", "", ".NET"},
	{"[OptimizedTier%i]$", "", ".NET"},
	{"[InstrumentedTier%i]$", "", ".NET"},
	/* How well the code is compiled by now: JS:~f is interpreted, JS:*f optimized */
	{"^JS:%[~*^+']", "JS:", "V8"},
	{"^LazyCompile:%[~*^+']", "LazyCompile:", "V8"},
	{"^Function:%[~*^+']", "Function:", "V8"},
	{"^Script:%[~*^+']", "Script:", "V8"},
	{"^Eval:%[~*^+']", "Eval:", "V8"},
	{"^TRACE_%d%b", "TRACE_", "LuaJIT"},
	{"-fun-%d-", "-fun-", "Erlang"},
	{"^evalexpr_%d_%d$", "evalexpr", "PostgreSQL"},
	{"^deform_%d_%d$", "deform", "PostgreSQL"},
	{"^bpf_prog_%16x%b", "bpf_prog", "Linux"},
	{"^bpf_prog_%16x_", "bpf_prog_", "Linux"},
	{"^bpf_trampoline_%d_%d$", "bpf_trampoline", "Linux"},
	{"^bpf_trampoline_%d$", "bpf_trampoline", "Linux"},
	{"0x%x%b", "0x*", "addresses"},
};

struct name_rules {
	struct name_rule *rules; /* three copied strings each */
	size_t nr, capacity;
};

static int add_all(struct name_rules *rules, const struct name_rule *added, size_t nr)
{
	int code = 0;

	for (size_t i = 0; i < nr && !code; i++)
		code = name_rules__add(rules, &added[i]);
	return code;
}

struct name_rules *name_rules__new(void)
{
	struct name_rules *rules = calloc(1, sizeof(*rules));

	if (rules && (add_all(rules, spellings, COUNT(spellings)) ||
		      add_all(rules, compiler_rules, nr_compiler_rules) ||
		      add_all(rules, built_in, COUNT(built_in)))) {
		name_rules__free(rules);
		return NULL;
	}
	return rules;
}

void name_rules__free(struct name_rules *rules)
{
	if (!rules)
		return;
	name_rules__clear(rules);
	free(rules);
}

static void free_rule(const struct name_rule *rule)
{
	free((char *)rule->pattern);
	free((char *)rule->replacement);
	free((char *)rule->origin);
}

int name_rules__add(struct name_rules *rules, const struct name_rule *rule)
{
	struct name_rule copy;

	if (!name_rule__is_valid(rule))
		return -EINVAL;
	if (array__reserve(&rules->rules, &rules->capacity, rules->nr + 1))
		return -ENOMEM;
	copy.pattern = strdup(rule->pattern);
	copy.replacement = strdup(rule->replacement);
	copy.origin = strdup(rule->origin ? rule->origin : "");
	if (!copy.pattern || !copy.replacement || !copy.origin) {
		free_rule(&copy);
		return -ENOMEM;
	}
	rules->rules[rules->nr++] = copy;
	return 0;
}

void name_rules__clear(struct name_rules *rules)
{
	for (size_t i = 0; i < rules->nr; i++)
		free_rule(&rules->rules[i]);
	free(rules->rules);
	*rules = (struct name_rules){0};
}

const struct name_rule *name_rules__rule(const struct name_rules *rules, size_t index)
{
	return index < rules->nr ? &rules->rules[index] : NULL;
}

char *name_rules__apply(const struct name_rules *rules, const char *name)
{
	return name_rule__apply_all(rules->rules, rules->nr, name);
}
