// SPDX-License-Identifier: GPL-2.0-only
/*
 * The grammar of RE2, by recursive descent. Jumps are relative, so repeated steps can be copied.
 * Syntax that only selects one of several matches (lazy repetition, flag U, names of groups) is
 * parsed and ignored. Flag i affects ASCII letters only.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/pattern_code.h"
#include "base/text.h"

#define MOST_STEPS  8192
#define MOST_NESTED 200
#define MOST_TIMES  1000     /* same limit as RE2's */
#define LAST_CODE   0x10ffff /* last character of Unicode */
#define NO_LIMIT    UINT32_MAX

struct pattern_parser {
	struct pattern_code *code;
	const char *at;
	bool folds, is_of_lines, dot_is_all; /* flags i, m, s */
	bool is_quoted;			     /* between \Q and \E */
	unsigned int nested;
	int error; /* the first error */
};

static void fail(struct pattern_parser *parser, int code)
{
	if (!parser->error)
		parser->error = code;
}

static bool skip(struct pattern_parser *parser, const char *text)
{
	const size_t length = strlen(text);

	if (strncmp(parser->at, text, length) != 0)
		return false;
	parser->at += length;
	return true;
}

/* Takes a character; 0 at the end, which is an error. */
static uint32_t next_character(struct pattern_parser *parser)
{
	uint32_t code = 0;

	if (*parser->at)
		parser->at += character__decode(parser->at, &code);
	else
		fail(parser, -EINVAL);
	if (code == NOT_UTF8)
		fail(parser, -EINVAL);
	return code;
}

/* ---- steps ---- */

static void emit(struct pattern_parser *parser, struct pattern_step step)
{
	struct pattern_code *code = parser->code;

	if (code->nr_steps == MOST_STEPS)
		fail(parser, -E2BIG);
	else if (array__reserve(&code->steps, &code->step_capacity, code->nr_steps + 1))
		fail(parser, -ENOMEM);
	if (!parser->error)
		code->steps[code->nr_steps++] = step;
}

static void emit_jump(struct pattern_parser *parser, enum pattern_op op, long first, long second)
{
	emit(parser, (struct pattern_step){.op = op, .jumps = {(int32_t)first, (int32_t)second}});
}

/* Inserts a split at a step, before the block from there to the end. */
static void insert_split(struct pattern_parser *parser, size_t at, long first, long second)
{
	struct pattern_code *code = parser->code;
	struct pattern_step split;

	emit_jump(parser, PATTERN_SPLIT, first, second);
	if (parser->error)
		return;
	split = code->steps[code->nr_steps - 1];
	memmove(&code->steps[at + 1], &code->steps[at],
		(code->nr_steps - 1 - at) * sizeof(*code->steps));
	code->steps[at] = split;
}

static void emit_copy(struct pattern_parser *parser, size_t at, size_t nr)
{
	for (size_t i = 0; i < nr && !parser->error; i++)
		emit(parser, parser->code->steps[at + i]);
}

static void emit_assertion(struct pattern_parser *parser, enum pattern_assertion assertion)
{
	emit(parser, (struct pattern_step){.op = PATTERN_ASSERT, .assertion = assertion});
}

/* ---- classes ---- */

/* Classes as pairs of the first and last character. */
static const struct class_name {
	const char *name, *pairs;
} perl_classes[] = {{"d", "09"}, {"s", "\t\n\f\r  "}, {"w", "09AZ__az"}},
  posix_classes[] = {
	  {"alnum", "09AZaz"},
	  {"alpha", "AZaz"},
	  {"ascii", "\1\177"},
	  {"blank", "\t\t  "},
	  {"cntrl", "\1\037\177\177"},
	  {"digit", "09"},
	  {"graph", "!~"},
	  {"lower", "az"},
	  {"print", " ~"},
	  {"punct", "!/:@[`{~"},
	  {"space", "\t\r  "},
	  {"upper", "AZ"},
	  {"word", "09AZ__az"},
	  {"xdigit", "09AFaf"},
};

static void add_range(struct pattern_parser *parser, uint32_t first, uint32_t last)
{
	struct pattern_code *code = parser->code;

	if (first > last)
		fail(parser, -EINVAL);
	else if (array__reserve(&code->ranges, &code->range_capacity, code->nr_ranges + 1))
		fail(parser, -ENOMEM);
	if (!parser->error)
		code->ranges[code->nr_ranges++] = (struct pattern_range){first, last};
}

/* Adds the other case of the letters in a range. first: "a" or "A"; other: the other one. */
static void add_other_case(struct pattern_parser *parser, struct pattern_range range, char first,
			   char other)
{
	const uint32_t from = range.first > (uint32_t)first ? range.first : (uint32_t)first;
	const uint32_t to = range.last < (uint32_t)first + 25 ? range.last : (uint32_t)first + 25;

	if (from <= to)
		add_range(parser, from - (uint32_t)first + (uint32_t)other,
			  to - (uint32_t)first + (uint32_t)other);
}

static void add_class(struct pattern_parser *parser, const struct class_name *class, bool negated)
{
	uint32_t first = 0;

	for (const char *pair = class->pairs; *pair; pair += 2) {
		if (!negated)
			add_range(parser, (uint32_t)pair[0], (uint32_t)pair[1]);
		else if ((uint32_t)pair[0] > first)
			add_range(parser, first, (uint32_t)pair[0] - 1);
		first = (uint32_t)pair[1] + 1;
	}
	if (negated)
		add_range(parser, first, LAST_CODE);
}

/* Emits a class from the ranges added since first_range. */
static void emit_class(struct pattern_parser *parser, size_t first_range, bool negated)
{
	struct pattern_code *code = parser->code;
	const size_t end = code->nr_ranges;

	for (size_t i = first_range; i < end && parser->folds && !parser->error; i++) {
		add_other_case(parser, code->ranges[i], 'a', 'A');
		add_other_case(parser, code->ranges[i], 'A', 'a');
	}
	emit(parser, (struct pattern_step){.op = PATTERN_CHARACTER,
					   .first_range = (uint32_t)first_range,
					   .nr_ranges = (uint32_t)(code->nr_ranges - first_range),
					   .is_negated = negated});
}

static void emit_character(struct pattern_parser *parser, uint32_t character)
{
	const size_t first_range = parser->code->nr_ranges;

	add_range(parser, character, character);
	emit_class(parser, first_range, false);
}

static void emit_any(struct pattern_parser *parser)
{
	const size_t first_range = parser->code->nr_ranges;

	if (!parser->dot_is_all)
		add_range(parser, '\n', '\n');
	emit_class(parser, first_range, true);
}

/* Takes a class such as "d" or "W". Returns whether there is such a class. */
static bool take_perl_class(struct pattern_parser *parser)
{
	const char letter = *parser->at;

	for (size_t i = 0; i < sizeof(perl_classes) / sizeof(perl_classes[0]); i++) {
		if (tolower((unsigned char)letter) != *perl_classes[i].name)
			continue;
		parser->at++;
		add_class(parser, &perl_classes[i], isupper((unsigned char)letter));
		return true;
	}
	return false;
}

/* Takes a class such as "[:alpha:]" or "[:^alpha:]". Returns whether there is one. */
static bool take_posix_class(struct pattern_parser *parser)
{
	const char *name = parser->at + 2, *end = strstr(parser->at + 2, ":]");
	const bool negated = *name == '^';

	if (!end)
		return false;
	name += negated;
	for (size_t i = 0; i < sizeof(posix_classes) / sizeof(posix_classes[0]); i++) {
		const size_t length = strlen(posix_classes[i].name);

		if (end < name || (size_t)(end - name) != length ||
		    strncmp(name, posix_classes[i].name, length) != 0)
			continue;
		parser->at = end + 2;
		add_class(parser, &posix_classes[i], negated);
		return true;
	}
	fail(parser, -EINVAL);
	return false;
}

/* ---- escapes ---- */

/* Takes the number after "\x": "7F" or "{10FFFF}". */
static uint32_t take_hexadecimal(struct pattern_parser *parser)
{
	const bool braced = skip(parser, "{");
	uint32_t code = 0;
	int nr = 0;

	for (; isxdigit((unsigned char)*parser->at) && (braced || nr < 2); nr++) {
		const char digit = (char)tolower((unsigned char)*parser->at++);

		code = code * 16 + (uint32_t)(digit <= '9' ? digit - '0' : digit - 'a' + 10);
		if (code > LAST_CODE)
			break;
	}
	if (code > LAST_CODE || (braced ? !nr || !skip(parser, "}") : nr != 2))
		fail(parser, -EINVAL);
	return code;
}

/* Takes "0", "012" or "12". A single other digit would be a back reference, which RE2 lacks. */
static uint32_t take_octal(struct pattern_parser *parser)
{
	uint32_t code = 0;
	int nr = 0;

	for (; nr < 3 && *parser->at >= '0' && *parser->at <= '7'; nr++)
		code = code * 8 + (uint32_t)(*parser->at++ - '0');
	if (!nr || (nr == 1 && code))
		fail(parser, -EINVAL);
	return code;
}

/* Takes the character after a backslash. */
static uint32_t take_escaped(struct pattern_parser *parser)
{
	static const char letters[] = "afnrtv", meant[] = "\a\f\n\r\t\v";
	const char c = *parser->at;
	const char *letter = c ? strchr(letters, c) : NULL;

	if (letter) {
		parser->at++;
		return (uint32_t)meant[letter - letters];
	}
	if (skip(parser, "x"))
		return take_hexadecimal(parser);
	if (isdigit((unsigned char)c))
		return take_octal(parser);
	if (c == 'p' || c == 'P')
		fail(parser, -EOPNOTSUPP);
	if (isalpha((unsigned char)c) || (unsigned char)c >= 0x80)
		fail(parser, -EINVAL);
	return next_character(parser);
}

static void parse_escape(struct pattern_parser *parser)
{
	const size_t first_range = parser->code->nr_ranges;

	if (skip(parser, "A"))
		emit_assertion(parser, ASSERT_TEXT_BEGIN);
	else if (skip(parser, "z"))
		emit_assertion(parser, ASSERT_TEXT_END);
	else if (skip(parser, "b"))
		emit_assertion(parser, ASSERT_WORD_EDGE);
	else if (skip(parser, "B"))
		emit_assertion(parser, ASSERT_NO_WORD_EDGE);
	else if (take_perl_class(parser))
		emit_class(parser, first_range, false);
	else
		emit_character(parser, take_escaped(parser));
}

static uint32_t take_class_character(struct pattern_parser *parser)
{
	return skip(parser, "\\") ? take_escaped(parser) : next_character(parser);
}

/* Parses a class after its "[". */
static void parse_class(struct pattern_parser *parser)
{
	const size_t first_range = parser->code->nr_ranges;
	const bool negated = skip(parser, "^");
	bool is_first = true;

	for (; (is_first || *parser->at != ']') && !parser->error; is_first = false) {
		uint32_t first, last;

		if (!strncmp(parser->at, "[:", 2) && take_posix_class(parser))
			continue;
		if (parser->at[0] == '\\' && parser->at[1]) {
			parser->at++;
			if (take_perl_class(parser))
				continue;
			parser->at--;
		}
		first = last = take_class_character(parser);
		if (parser->at[0] == '-' && parser->at[1] != ']') {
			parser->at++;
			last = take_class_character(parser);
		}
		add_range(parser, first, last);
	}
	if (!skip(parser, "]"))
		fail(parser, -EINVAL);
	emit_class(parser, first_range, negated);
}

/* ---- repetition ---- */

static uint32_t take_times(struct pattern_parser *parser)
{
	uint32_t times = 0;

	while (isdigit((unsigned char)*parser->at) && times <= MOST_TIMES)
		times = times * 10 + (uint32_t)(*parser->at++ - '0');
	return times;
}

/* Takes "{2}", "{2,}" or "{2,3}". Other text after "{" is literal. */
static bool take_braces(struct pattern_parser *parser, uint32_t *least, uint32_t *most)
{
	const char *begin = parser->at;

	if (skip(parser, "{") && isdigit((unsigned char)*parser->at)) {
		*least = *most = take_times(parser);
		if (skip(parser, ","))
			*most = *parser->at == '}' ? NO_LIMIT : take_times(parser);
		if (skip(parser, "}"))
			return true;
	}
	parser->at = begin;
	return false;
}

static bool take_repetition(struct pattern_parser *parser, uint32_t *least, uint32_t *most)
{
	*least = 0;
	*most = NO_LIMIT;
	if (skip(parser, "*"))
		return true;
	*least = 1;
	if (skip(parser, "+"))
		return true;
	*least = 0;
	*most = 1;
	return skip(parser, "?") || take_braces(parser, least, most);
}

static void repeat_without_end(struct pattern_parser *parser, size_t begin, uint32_t least)
{
	const size_t size = parser->code->nr_steps - begin;

	if (!least) {
		insert_split(parser, begin, 1, (long)size + 2);
		emit_jump(parser, PATTERN_JUMP, -(long)size - 1, 0);
		return;
	}
	for (uint32_t i = 1; i < least && !parser->error; i++)
		emit_copy(parser, begin, size);
	emit_jump(parser, PATTERN_SPLIT, -(long)size, 1);
}

static void repeat_times(struct pattern_parser *parser, size_t begin, uint32_t least, uint32_t most)
{
	const size_t size = parser->code->nr_steps - begin;

	for (uint32_t i = 1; i < least && !parser->error; i++)
		emit_copy(parser, begin, size);
	for (uint32_t i = least; i < most && i && !parser->error; i++) {
		emit_jump(parser, PATTERN_SPLIT, 1, (long)size + 1);
		emit_copy(parser, begin, size);
	}
	if (least || parser->error)
		return;
	if (!most) {
		parser->code->nr_steps = begin;
		return;
	}
	/* The first of the optional copies is there already. */
	insert_split(parser, begin, 1, (long)size + 1);
	for (uint32_t i = 1; i < most && !parser->error; i++)
		emit_copy(parser, begin, size + 1);
}

/* Parses a repetition sign and repeats the steps from begin on. */
static void parse_repetition(struct pattern_parser *parser, size_t begin)
{
	uint32_t least, most;

	if (!take_repetition(parser, &least, &most))
		return;
	if (least > most || least > MOST_TIMES || (most != NO_LIMIT && most > MOST_TIMES))
		fail(parser, -EINVAL);
	if (parser->error)
		return;
	if (most == NO_LIMIT)
		repeat_without_end(parser, begin, least);
	else
		repeat_times(parser, begin, least, most);
	skip(parser, "?");
	if (take_repetition(parser, &least, &most))
		fail(parser, -EINVAL);
}

/* ---- the whole expression ---- */

static void parse_alternatives(struct pattern_parser *parser);

/* Takes flags after "(?" up to ")" or ":". Returns whether a group begins. */
static bool take_flags(struct pattern_parser *parser)
{
	bool value = true;

	for (; !parser->error; parser->at++)
		switch (*parser->at) {
		case 'i':
			parser->folds = value;
			break;
		case 'm':
			parser->is_of_lines = value;
			break;
		case 's':
			parser->dot_is_all = value;
			break;
		case 'U':
			break;
		case '-':
			if (!value)
				fail(parser, -EINVAL);
			value = false;
			break;
		case ':':
		case ')':
			return *parser->at++ == ':';
		default:
			fail(parser, -EINVAL);
			return false;
		}
	return false;
}

static void skip_group_name(struct pattern_parser *parser)
{
	const char *begin = parser->at;

	while (isalnum((unsigned char)*parser->at) || *parser->at == '_')
		parser->at++;
	if (parser->at == begin || !skip(parser, ">"))
		fail(parser, -EINVAL);
}

/* Parses after "(". Returns whether it is a group, not only flags for the rest. */
static bool parse_group(struct pattern_parser *parser)
{
	const struct pattern_parser before = *parser;

	if (skip(parser, "?P<") || skip(parser, "?<"))
		skip_group_name(parser);
	else if (skip(parser, "?") && !take_flags(parser))
		return false;
	if (++parser->nested > MOST_NESTED)
		fail(parser, -E2BIG);
	if (parser->error)
		return true;
	parse_alternatives(parser);
	if (!skip(parser, ")"))
		fail(parser, -EINVAL);
	parser->nested--;
	parser->folds = before.folds;
	parser->is_of_lines = before.is_of_lines;
	parser->dot_is_all = before.dot_is_all;
	return true;
}

/* Parses one part. Returns false for flags, which cannot be repeated. */
static bool parse_atom(struct pattern_parser *parser)
{
	uint32_t least, most;

	if (skip(parser, "("))
		return parse_group(parser);
	if (skip(parser, "["))
		parse_class(parser);
	else if (skip(parser, "\\"))
		parse_escape(parser);
	else if (skip(parser, "."))
		emit_any(parser);
	else if (skip(parser, "^"))
		emit_assertion(parser, parser->is_of_lines ? ASSERT_LINE_BEGIN : ASSERT_TEXT_BEGIN);
	else if (skip(parser, "$"))
		emit_assertion(parser, parser->is_of_lines ? ASSERT_LINE_END : ASSERT_TEXT_END);
	else if (take_repetition(parser, &least, &most))
		fail(parser, -EINVAL); /* nothing to repeat */
	else
		emit_character(parser, next_character(parser));
	return true;
}

/* Takes a character between \Q and \E, or the "\E". Returns whether it is a character. */
static bool parse_quoted(struct pattern_parser *parser)
{
	const bool ends = skip(parser, "\\E");

	if (!ends)
		emit_character(parser, next_character(parser));
	parser->is_quoted = !ends && !skip(parser, "\\E");
	return !ends;
}

/* Parses a sequence. A repetition applies to the last part that is no flags and no \Q or \E. */
static void parse_sequence(struct pattern_parser *parser)
{
	size_t last = 0;
	bool has_last = false;

	while (*parser->at && !parser->error) {
		const size_t begin = parser->code->nr_steps;
		bool is_part;

		if (!parser->is_quoted && (*parser->at == '|' || *parser->at == ')'))
			return;
		if (!parser->is_quoted && skip(parser, "\\Q")) {
			parser->is_quoted = true;
			continue;
		}
		is_part = parser->is_quoted ? parse_quoted(parser) : parse_atom(parser);
		last = is_part ? begin : last;
		has_last |= is_part;
		if (!parser->is_quoted && has_last && !parser->error)
			parse_repetition(parser, last);
	}
}

/*
 * Parses alternatives. Each but the last ends in a jump behind all of them. Until that target is
 * known, the jump holds the position of the jump before it.
 */
static void parse_alternatives(struct pattern_parser *parser)
{
	struct pattern_code *code = parser->code;
	size_t begin = code->nr_steps;
	long jump = -1;

	parse_sequence(parser);
	while (!parser->error && skip(parser, "|")) {
		insert_split(parser, begin, 1, (long)(code->nr_steps - begin) + 2);
		emit_jump(parser, PATTERN_JUMP, jump, 0);
		if (parser->error)
			return;
		jump = (long)code->nr_steps - 1;
		begin = code->nr_steps;
		parse_sequence(parser);
	}
	while (jump >= 0 && !parser->error) {
		const long before = code->steps[jump].jumps[0];

		code->steps[jump].jumps[0] = (int32_t)((long)code->nr_steps - jump);
		jump = before;
	}
}

int pattern_code__parse(struct pattern_code *code, const char *expression)
{
	struct pattern_parser parser = {.code = code, .at = expression};

	*code = (struct pattern_code){0};
	parse_alternatives(&parser);
	if (*parser.at)
		fail(&parser, -EINVAL);
	return parser.error;
}

void pattern_code__free(struct pattern_code *code)
{
	free(code->steps);
	free(code->ranges);
}
