// SPDX-License-Identifier: GPL-2.0-only
/*
 * The grammar of rules, which is in the header, has no backtracking: a rule looks at each byte of a
 * name once or twice, however hostile the name.
 */
#include "profile/name_rules.h"

#include <ctype.h>

#define MAX_ROUNDS     8
#define MAX_NAME_BYTES 65536 /* rules that make names longer stop there */

/*
 * The spellings of a suffix: in brackets by GNU's demangler, in parentheses by LLVM's, and as the
 * linker has it.
 */
/* clang-format off */
#define SHOWN(suffix, origin) {" [clone " suffix "]", "", origin}, {" (" suffix ")", "", origin}
#define NUMBERED(suffix, origin) SHOWN(suffix ".%d", origin), {suffix ".%d%b", "", origin}
#define PLAIN(suffix, origin) SHOWN(suffix, origin), {suffix "$", "", origin}
#define BOTH(suffix, origin) NUMBERED(suffix, origin), PLAIN(suffix, origin)
/* A suffix that is also a word: without brackets a Go function may end in it, as net.resolver. */
#define WORD(suffix, origin) \
	NUMBERED(suffix, origin), SHOWN(suffix, origin), {")" suffix "$", ")", origin}

const struct name_rule compiler_rules[] = {
	NUMBERED(".isra", "GCC"),
	NUMBERED(".part", "GCC"),
	NUMBERED(".constprop", "GCC"),
	NUMBERED(".__part", "LLVM"),
	BOTH(".cold", "GCC, LLVM"),
	WORD(".warm", "LLVM BOLT"),
	NUMBERED(".clone", "GCC"),
	NUMBERED(".simdclone", "GCC"),
	NUMBERED(".lto_priv", "GCC"),
	BOTH(".localalias", "GCC"),
	NUMBERED(".llvm", "LLVM"),
	NUMBERED(".specialized", "LLVM"),
	NUMBERED(".__uniq", "LLVM"),
	PLAIN(".cfi_jt", "LLVM"),
	PLAIN(".cfi", "LLVM"),
	/*
	 * target_clones: one copy for each kind of CPU, and the function that chooses among them.
	 */
	BOTH(".default", "target_clones"),
	WORD(".resolver", "target_clones"),
	PLAIN(".ifunc", "target_clones"),
	BOTH(".arch_%i", "target_clones"),
	BOTH(".cpu_%i", "target_clones"),
	BOTH("._M%i", "target_clones of ARM"),
	BOTH(".mmx", "target_clones"),
	BOTH(".sse", "target_clones"),
	BOTH(".sse2", "target_clones"),
	BOTH(".sse3", "target_clones"),
	BOTH(".ssse3", "target_clones"),
	BOTH(".sse4a", "target_clones"),
	BOTH(".sse4_1", "target_clones"),
	BOTH(".sse4_2", "target_clones"),
	BOTH(".popcnt", "target_clones"),
	BOTH(".aes", "target_clones"),
	BOTH(".pclmul", "target_clones"),
	BOTH(".avx", "target_clones"),
	BOTH(".bmi", "target_clones"),
	BOTH(".fma4", "target_clones"),
	BOTH(".xop", "target_clones"),
	BOTH(".fma", "target_clones"),
	BOTH(".bmi2", "target_clones"),
	BOTH(".avx2", "target_clones"),
	BOTH(".avx512f", "target_clones"),
	/* Clang keeps the dots of CPU features, and has more features. */
	BOTH(".sse4.1", "target_clones of LLVM"),
	BOTH(".sse4.2", "target_clones of LLVM"),
	BOTH(".vpclmulqdq", "target_clones of LLVM"),
	BOTH(".gfni", "target_clones of LLVM"),
	BOTH(".avx512bw", "target_clones of LLVM"),
	BOTH(".avx512cd", "target_clones of LLVM"),
	BOTH(".avx512dq", "target_clones of LLVM"),
	BOTH(".avx512vl", "target_clones of LLVM"),
	BOTH(".avx512ifma", "target_clones of LLVM"),
	BOTH(".avx512vbmi", "target_clones of LLVM"),
	BOTH(".avx512vbmi2", "target_clones of LLVM"),
	BOTH(".avx512bitalg", "target_clones of LLVM"),
	BOTH(".avx512vnni", "target_clones of LLVM"),
	BOTH(".avx512vpopcntdq", "target_clones of LLVM"),
	BOTH(".avx512bf16", "target_clones of LLVM"),
	BOTH(".avx512fp16", "target_clones of LLVM"),
};
/* clang-format on */
const size_t nr_compiler_rules = sizeof(compiler_rules) / sizeof(compiler_rules[0]);

/* ---- patterns ---- */

struct rule_match {
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

/*
 * Parses the text behind a %: a class with its width, a set, a word's end, or a literal character.
 * Returns the rest; NULL: it is invalid.
 */
static const char *parse_percent(const char *text, struct element *element)
{
	const char *end;
	size_t width = 0;

	if (text[0] == '[') {
		end = strchr(text, ']');
		if (!end || end == text + 1)
			return NULL;
		*element = (struct element){
			.type = ELEMENT_SET, .set_begin = text + 1, .set_end = end};
		return end + 1;
	}
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

/* Parses one element of a pattern that is not empty. Returns the rest; NULL: it is invalid. */
static const char *parse_element(const char *pattern, struct element *element)
{
	if (pattern[0] == '%')
		return parse_percent(pattern + 1, element);
	*element = (struct element){.type = ELEMENT_BYTE, .byte = pattern[0]};
	if (pattern[0] == '$' && !pattern[1])
		element->type = ELEMENT_END;
	return pattern + 1;
}

/* Returns the rest of the name behind the element; NULL: it does not match. */
static const char *match_element(const struct element *element, const char *at,
				 struct rule_match *match)
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

static bool match_here(const char *pattern, const char *at, struct rule_match *match)
{
	struct element element;

	*match = (struct rule_match){.begin = at};
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
static bool find_match(const char *pattern, const char *name, const char *from,
		       struct rule_match *match)
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

bool name_rule__is_valid(const struct name_rule *rule)
{
	const char *pattern = rule->pattern;
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

/* Writes the replacement, if text is not NULL; returns its length. */
static size_t write_replacement(const char *replacement, const struct rule_match *match, char *text)
{
	const size_t nr_class =
		match->class_begin ? (size_t)(match->class_end - match->class_begin) : 0;
	size_t length = 0;

	for (; *replacement; replacement++) {
		if (replacement[0] == '%' && replacement[1] == '1') {
			if (text && nr_class)
				memcpy(text + length, match->class_begin, nr_class);
			length += nr_class;
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
	struct rule_match match;
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

/* Returns true if the name changed. */
static bool apply_rule(const struct name_rule *rule, char **name)
{
	struct rule_match match;
	size_t length;
	char *text;

	if (!find_match(rule->pattern, *name, *name, &match))
		return false;
	length = rewrite(rule, *name, NULL);
	if (length > MAX_NAME_BYTES && length > strlen(*name))
		return false;
	text = xmalloc(length + 1);
	rewrite(rule, *name, text);
	free(*name);
	*name = text;
	return true;
}

char *name_rule__apply_all(const struct name_rule *rules, size_t nr_rules, const char *name)
{
	char *text = xstrdup(name);
	bool changed = true;

	for (int round = 0; changed && round < MAX_ROUNDS; round++) {
		changed = false;
		for (size_t i = 0; i < nr_rules; i++)
			changed |= apply_rule(&rules[i], &text);
	}
	return text;
}
