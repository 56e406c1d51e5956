// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names to compare by. The same function is foo.isra.0 in one build and foo in the next, the same
 * closure #1 here and #2 there, the same jitted code at another address in every run. A rule finds
 * a pattern in a name and puts something else there; the grammar is in the header.
 *
 * The grammar has no backtracking: a built-in rule looks at each byte of a name once or twice,
 * however hostile the name.
 */
#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "topstacks/diff.h"

#define MAX_ROUNDS     8
#define MAX_NAME_BYTES 65536 /* beyond, rules that make names longer stop */

static const struct name_rule built_in[] = {
	/* f(int) [clone .isra.0] -> f(int).isra.0, which the rules below know */
	{" [clone .%w]", ".%1", "GNU demangler"},
	{" (.%w)", ".%1", "LLVM demangler"},
	{".isra.%d%b", "", "GCC"},
	{".part.%d%b", "", "GCC"},
	{".constprop.%d%b", "", "GCC"},
	{".cold.%d%b", "", "GCC, LLVM"},
	{".cold$", "", "GCC, LLVM"},
	{".clone.%d%b", "", "GCC"},
	{".simdclone.%d%b", "", "GCC"},
	{".lto_priv.%d%b", "", "GCC"},
	{".localalias.%d%b", "", "GCC"},
	{".localalias$", "", "GCC"},
	{"._omp_fn.%d%b", "._omp_fn", "GCC"},
	{".llvm.%d%b", "", "LLVM"},
	{".specialized.%d%b", "", "LLVM"},
	{".__uniq.%d%b", "", "LLVM"},
	{".omp_outlined..%d%b", ".omp_outlined.", "LLVM"},
	{".cfi_jt$", "", "LLVM"},
	{".cfi$", "", "LLVM"},
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
	size_t nr;
};

/* ---- patterns ---- */

struct match {
	const char *begin, *end;
	const char *class_begin, *class_end; /* NULL: no class yet */
};

/* One element of a pattern: min to max bytes of a class, or a position. */
struct element {
	enum {
		ELEMENT_BYTE,
		ELEMENT_CLASS, /* 'd', 'x', 'i', 'w' */
		ELEMENT_SET,   /* one of set_begin..set_end */
		ELEMENT_WORD_END,
		ELEMENT_END,
	} type;
	char byte; /* or the class' letter */
	size_t min, max;
	const char *set_begin, *set_end;
};

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static bool is_in_class(char c, char class)
{
	switch (class) {
	case 'd':
		return isdigit((unsigned char)c);
	case 'x':
		return isxdigit((unsigned char)c);
	case 'i':
		return is_word(c);
	default:
		return is_word(c) || c == '.' || c == '$';
	}
}

/* %[abc]: returns what follows, or NULL where the set is empty or has no end. */
static const char *parse_set(const char *text, struct element *element)
{
	const char *end = strchr(text, ']');

	if (!end || end == text)
		return NULL;
	*element = (struct element){.type = ELEMENT_SET, .set_begin = text, .set_end = end};
	return end + 1;
}

/* What follows a %: a class with its width, a set, a word's end, or a byte that means itself. */
static const char *parse_percent(const char *text, struct element *element)
{
	size_t width = 0;

	if (text[0] == '[')
		return parse_set(text + 1, element);
	if (text[0] == 'b') {
		*element = (struct element){.type = ELEMENT_WORD_END};
		return text + 1;
	}
	if (ispunct((unsigned char)text[0])) {
		*element = (struct element){.type = ELEMENT_BYTE, .byte = text[0]};
		return text + 1;
	}
	for (; isdigit((unsigned char)*text) && width < 1000; text++)
		width = width * 10 + (size_t)(*text - '0');
	*element = (struct element){.type = ELEMENT_CLASS, .min = 1, .max = SIZE_MAX};
	if (width)
		element->min = element->max = width;
	if (width && *text == '+') {
		element->max = SIZE_MAX;
		text++;
	}
	if (!*text || !strchr("dxiw", *text))
		return NULL;
	element->byte = *text;
	return text + 1;
}

/* Returns the rest of the pattern, which is not empty; NULL: it is none. */
static const char *parse_element(const char *pattern, struct element *element)
{
	if (pattern[0] == '%')
		return parse_percent(pattern + 1, element);
	*element = (struct element){.type = ELEMENT_BYTE, .byte = pattern[0]};
	if (pattern[0] == '$' && !pattern[1])
		element->type = ELEMENT_END;
	return pattern + 1;
}

/* Returns what follows the element in the name; NULL: something else is there. */
static const char *match_element(const struct element *element, const char *at, struct match *match)
{
	const char *begin = at;

	switch (element->type) {
	case ELEMENT_BYTE:
		return *at == element->byte ? at + 1 : NULL;
	case ELEMENT_WORD_END:
		return is_word(*at) ? NULL : at;
	case ELEMENT_END:
		return *at ? NULL : at;
	case ELEMENT_SET:
		if (!*at || !memchr(element->set_begin, *at,
				    (size_t)(element->set_end - element->set_begin)))
			return NULL;
		return at + 1;
	case ELEMENT_CLASS:
		break;
	}
	while (is_in_class(*at, element->byte))
		at++;
	if ((size_t)(at - begin) < element->min || (size_t)(at - begin) > element->max)
		return NULL;
	if (!match->class_begin) {
		match->class_begin = begin;
		match->class_end = at;
	}
	return at;
}

static bool match_here(const char *pattern, const char *at, struct match *match)
{
	struct element element;

	*match = (struct match){.begin = at};
	while (*pattern) {
		pattern = parse_element(pattern, &element);
		at = pattern ? match_element(&element, at, match) : NULL;
		if (!at)
			return false;
	}
	match->end = at;
	return at > match->begin;
}

/* The first match at or after from. */
static bool find_match(const char *pattern, const char *name, const char *from, struct match *match)
{
	if (pattern[0] == '^')
		return from == name && match_here(pattern + 1, name, match);
	for (; *from; from++) {
		if (pattern[0] != '%') {
			from = strchr(from, pattern[0]);
			if (!from)
				return false;
		}
		if (match_here(pattern, from, match))
			return true;
	}
	return false;
}

static bool is_pattern(const char *pattern)
{
	struct element element;

	if (pattern[0] == '^')
		pattern++;
	if (!pattern[0] || !strcmp(pattern, "$"))
		return false;
	while (pattern && *pattern)
		pattern = parse_element(pattern, &element);
	return pattern;
}

/* ---- application ---- */

static size_t class_length(const struct match *match)
{
	return (size_t)(match->class_end - match->class_begin);
}

/* Writes the replacement, if text is not NULL; returns its length. */
static size_t write_replacement(const char *replacement, const struct match *match, char *text)
{
	size_t length = 0;

	for (; *replacement; replacement++) {
		if (replacement[0] == '%' && replacement[1] == '1') {
			if (text && match->class_begin)
				memcpy(text + length, match->class_begin, class_length(match));
			length += match->class_begin ? class_length(match) : 0;
			replacement++;
			continue;
		}
		if (text)
			text[length] = *replacement;
		length++;
	}
	return length;
}

/* Writes name with all matches replaced, if text is not NULL; returns its length. */
static size_t rewrite(const struct name_rule *rule, const char *name, char *text)
{
	const char *from = name;
	struct match match;
	size_t length = 0, kept;

	while (find_match(rule->pattern, name, from, &match)) {
		kept = (size_t)(match.begin - from);
		if (text)
			memcpy(text + length, from, kept);
		length += kept;
		length += write_replacement(rule->replacement, &match, text ? text + length : NULL);
		from = match.end;
	}
	if (text)
		strcpy(text + length, from);
	return length + strlen(from);
}

/* Returns 1 if there was anything to replace, 0 if not, or -ENOMEM. */
static int apply_rule(const struct name_rule *rule, char **name)
{
	struct match match;
	size_t length;
	char *text;

	if (!find_match(rule->pattern, *name, *name, &match))
		return 0;
	length = rewrite(rule, *name, NULL);
	if (length > MAX_NAME_BYTES && length > strlen(*name))
		return 0;
	text = malloc(length + 1);
	if (!text)
		return -ENOMEM;
	rewrite(rule, *name, text);
	free(*name);
	*name = text;
	return 1;
}

char *name_rules__apply(const struct name_rules *rules, const char *name)
{
	char *text = strdup(name);
	int changed = 1;

	for (int round = 0; text && changed && round < MAX_ROUNDS; round++) {
		changed = 0;
		for (size_t i = 0; i < rules->nr; i++) {
			int did = apply_rule(&rules->rules[i], &text);

			if (did < 0) {
				free(text);
				return NULL;
			}
			changed |= did;
		}
	}
	return text;
}

/* ---- the list ---- */

struct name_rules *name_rules__new(void)
{
	struct name_rules *rules = calloc(1, sizeof(*rules));

	for (size_t i = 0; rules && i < sizeof(built_in) / sizeof(built_in[0]); i++) {
		if (name_rules__add(rules, &built_in[i])) {
			name_rules__free(rules);
			return NULL;
		}
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
	struct name_rule *list;
	struct name_rule copy;

	if (!is_pattern(rule->pattern))
		return -EINVAL;
	list = realloc(rules->rules, (rules->nr + 1) * sizeof(*list));
	if (!list)
		return -ENOMEM;
	rules->rules = list;
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
