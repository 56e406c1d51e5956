// SPDX-License-Identifier: GPL-2.0-only
/*
 * Normalises names. The same function may be foo.isra.0 in one build and foo in the next, the same
 * closure #1 or #2, the same jitted code at another address in every run.
 */
#include "diff/matching/names.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* f(int) [clone .isra.0] becomes f(int).isra.0, which the rules of compilers match. */
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
	/* Patterns with %d at the end do not match Python's C.func1:/x.py. */
	{".func%d$", ".func", "Go"},
	{".func%d.", ".func.", "Go"},
	{".func%d-", ".func-", "Go"},
	{".func.%d%b", ".func", "Go"},
	{".gowrap%d%b", ".gowrap", "Go"},
	{".deferwrap%d%b", ".deferwrap", "Go"},
	{"-range%d%b", "-range", "Go"},
	{"lambda$%i$%d%b", "lambda$%1$", "Java"},
	{"$anonfun$%i$%d%b", "$anonfun$%1$", "Scala"},
	{"$anonfun$%d%b", "$anonfun", "Scala"},
	{"$$Lambda$%d%b", "$$Lambda", "Java"},
	{"$$Lambda/0x%x%b", "$$Lambda", "Java"},
	{"$$Lambda.0x%x%b", "$$Lambda", "Java, as async-profiler has it"},
	{"$Proxy%d%b", "$Proxy", "Java"},
	{"GeneratedMethodAccessor%d%b", "GeneratedMethodAccessor", "Java"},
	{"GeneratedConstructorAccessor%d%b", "GeneratedConstructorAccessor", "Java"},
	{"GeneratedSerializationConstructorAccessor%d%b",
	 "GeneratedSerializationConstructorAccessor", "Java"},
	{"CGLIB$$%x%b", "CGLIB$$", "Java"},
	{"c__DisplayClass%d_%d%b", "c__DisplayClass", ".NET"},
	{">b__%d_%d%b", ">b__", ".NET"},
	{"[PreJIT]$", "", ".NET"},
	{"[QuickJitted]$", "", ".NET"},
	{"[Tier0]$", "", ".NET"},
	{"[Optimized]$", "", ".NET"},
	{"[OptimizedTier%i]$", "", ".NET"},
	{"[InstrumentedTier%i]$", "", ".NET"},
	/* Marks of V8 for the level of compilation: JS:~f is interpreted, JS:*f optimized. */
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

/*
 * Work that a loaded or a cold machine adds to a profile: context switches, interrupts, pending
 * work at the exit from the kernel, zeroing of fresh pages. Their counts differ between runs by 60
 * to 200 %, so they are shown, but not judged, and not in the reference of other units. That holds
 * for samples of time: where other events are counted, such as context switches, these functions
 * may be the very subject.
 */
static const char *const machine_prefixes[] = {
	"finish_task_switch",
	"schedule",
	"__schedule",
	"irqentry_exit",
	"exit_to_user_mode",
	"syscall_exit_to",
	"prepare_exit",
	"do_syscall",
	"sysvec",
	"asm_sysvec",
	"asm_exc",
	"irq_",
	"__irq",
	"softirq",
	"ksoftirqd",
	"rcu_",
	"tick_",
	"hrtimer",
	"update_",
	"native_",
	"pv_native",
	"_raw_spin_unlock_irq",
	"clear_page_erms",
};

/* ---- rules ---- */

static void add_rules(struct compared_names *names, const struct name_rule *rules, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		compared_names__add_rule(names, &rules[i]);
}

int compared_names__add_rule(struct compared_names *names, const struct name_rule *rule)
{
	if (!name_rule__is_valid(rule))
		return -EINVAL;
	array__reserve(&names->rules, &names->rules_capacity, names->nr_rules + 1);
	names->rules[names->nr_rules++] = (struct name_rule){
		.pattern = xstrdup(rule->pattern),
		.replacement = xstrdup(rule->replacement),
		.origin = xstrdup(rule->origin ? rule->origin : ""),
	};
	return 0;
}

void compared_names__clear_rules(struct compared_names *names)
{
	while (names->nr_rules) {
		const struct name_rule *last = &names->rules[--names->nr_rules];

		free((char *)last->pattern);
		free((char *)last->replacement);
		free((char *)last->origin);
	}
}

/* ---- the machine ---- */

int compared_names__add_machine(struct compared_names *names, const char *prefix)
{
	if (!prefix[0])
		return -EINVAL;
	array__reserve(&names->machine, &names->machine_capacity, names->nr_machine + 1);
	names->machine[names->nr_machine++] = xstrdup(prefix);
	return 0;
}

void compared_names__clear_machine(struct compared_names *names)
{
	while (names->nr_machine)
		free(names->machine[--names->nr_machine]);
}

static bool starts_like(const char *function, const char *const *prefixes, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		if (!strncmp(function, prefixes[i], strlen(prefixes[i])))
			return true;
	}
	return false;
}

/*
 * The number of built-in prefixes in the list. They come first, unless the user cleared the list; a
 * printed list that is read again has them, too.
 */
static size_t nr_built_in(const struct compared_names *names)
{
	const size_t nr = COUNT(machine_prefixes);

	for (size_t i = 0; i < nr; i++)
		if (i == names->nr_machine || strcmp(names->machine[i], machine_prefixes[i]) != 0)
			return 0;
	return nr;
}

bool compared_names__is_machine(const struct compared_names *names, const char *function,
				bool is_time)
{
	const size_t nr_left_out = is_time ? 0 : nr_built_in(names);

	return function && starts_like(function, (const char *const *)names->machine + nr_left_out,
				       names->nr_machine - nr_left_out);
}

bool compared_names__is_interrupt(const struct compared_names *names, const char *function,
				  bool is_time)
{
	static const char *const prefixes[] = {"asm_sysvec_", "sysvec_", "irq_exit", "__irq_exit"};

	return function && starts_like(function, prefixes, COUNT(prefixes)) &&
	       compared_names__is_machine(names, function, is_time);
}

/* ---- both ---- */

void compared_names__init(struct compared_names *names)
{
	*names = (struct compared_names){0};
	add_rules(names, spellings, COUNT(spellings));
	add_rules(names, compiler_rules, nr_compiler_rules);
	add_rules(names, built_in, COUNT(built_in));
	for (size_t i = 0; i < COUNT(machine_prefixes); i++)
		compared_names__add_machine(names, machine_prefixes[i]);
}

void compared_names__fini(struct compared_names *names)
{
	compared_names__clear_rules(names);
	compared_names__clear_machine(names);
	free(names->rules);
	free(names->machine);
	*names = (struct compared_names){0};
}
