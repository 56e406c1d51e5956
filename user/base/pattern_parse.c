// SPDX-License-Identifier: GPL-2.0-only
/*
 * The grammar of RE2, by recursive descent. Jumps are relative, so repeated steps can be copied.
 * Syntax that only selects one of several matches (lazy repetition, flag U, names of groups) is
 * parsed and ignored.
 */
#include <ctype.h>

#include "base/case_fold.h"
#include "base/pattern_code.h"

#define MOST_STEPS  8192
#define MOST_RANGES 65536
#define MOST_NESTED 200
#define MOST_TIMES  1000     /* same limit as RE2's */
#define LAST_CODE   0x10ffff /* last character of Unicode */
#define NO_LIMIT    UINT32_MAX

struct pattern_parser {
	struct pattern_code *code;
	const char *at;
	bool folds, is_of_lines, dot_is_all; /* flags i, m, s */
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

/* Takes a character. The end, and a byte that is not UTF-8, are errors. */
static uint32_t next_character(struct pattern_parser *parser)
{
	uint32_t code = NOT_UTF8;

	if (*parser->at)
		parser->at += character__decode(parser->at, &code);
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
	if (parser->error)
		return;
	array__reserve(&code->steps, &code->step_capacity, code->nr_steps + 1);
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

static const struct class_name {
	const char *name, *pairs; /* of first and last */
	int nr_pairs;
} perl_classes[] = {{"d", "09", 1}, {"s", "\t\n\f\r  ", 3}, {"w", "09AZ__az", 4}},
  posix_classes[] = {{"alnum", "09AZaz", 3},
		     {"alpha", "AZaz", 2},
		     {"ascii", "\0\177", 1},
		     {"blank", "\t\t  ", 2},
		     {"cntrl", "\0\037\177\177", 2},
		     {"digit", "09", 1},
		     {"graph", "!~", 1},
		     {"lower", "az", 1},
		     {"print", " ~", 1},
		     {"punct", "!/:@[`{~", 4},
		     {"space", "\t\r  ", 2},
		     {"upper", "AZ", 1},
		     {"word", "09AZ__az", 4},
		     {"xdigit", "09AFaf", 3}};

static void add_range(struct pattern_parser *parser, uint32_t first, uint32_t last)
{
	struct pattern_code *code = parser->code;

	if (first > last)
		fail(parser, -EINVAL);
	else if (code->nr_ranges == MOST_RANGES)
		fail(parser, -E2BIG);
	if (parser->error)
		return;
	array__reserve(&code->ranges, &code->range_capacity, code->nr_ranges + 1);
	code->ranges[code->nr_ranges++] = (struct pattern_range){first, last};
}

/* Adds a range, and with flag i the characters that it folds to. */
static void add_folded(struct pattern_parser *parser, uint32_t first, uint32_t last)
{
	const struct case_run *run = case_fold__run(first);

	add_range(parser, first, last);
	for (; parser->folds && run->first <= last && !parser->error; run++)
		add_range(parser, (first > run->first ? first : run->first) - run->distance,
			  (last < run->last ? last : run->last) - run->distance);
}

/*
 * Adds a class, or all characters outside of it. A pair of a class holds letters of one case or all
 * of both cases, so it folds as its ends do; gaps between pairs do not fold.
 */
static void add_class(struct pattern_parser *parser, const struct class_name *class, bool negated)
{
	uint32_t gap = 0;

	for (const char *pair = class->pairs; pair < class->pairs + 2 * class->nr_pairs;
	     pair += 2) {
		const uint32_t first = (uint32_t)pair[0], last = (uint32_t)pair[1];
		const uint32_t from = parser->folds ? case_fold__first(first) : first;
		const uint32_t to = parser->folds ? case_fold__first(last) : last;

		if (!negated)
			add_range(parser, from, to);
		else if (from > gap)
			add_range(parser, gap, from - 1);
		gap = to < gap ? gap : to + 1;
	}
	if (negated)
		add_range(parser, gap, LAST_CODE);
}

/* The class of the ranges that were added since. */
static void emit_class(struct pattern_parser *parser, size_t first_range, bool negated)
{
	emit(parser,
	     (struct pattern_step){.op = PATTERN_CHARACTER,
				   .first_range = (uint32_t)first_range,
				   .nr_ranges = (uint32_t)(parser->code->nr_ranges - first_range),
				   .is_negated = negated,
				   .folds = parser->folds});
}

static void emit_character(struct pattern_parser *parser, uint32_t character)
{
	const size_t first_range = parser->code->nr_ranges;

	add_folded(parser, character, character);
	emit_class(parser, first_range, false);
}

/* "\d", "\W": whether there is such a class, which is added. */
static bool take_perl_class(struct pattern_parser *parser)
{
	const unsigned char letter = *parser->at == '\\' ? (unsigned char)parser->at[1] : 0;

	for (size_t i = 0; i < sizeof(perl_classes) / sizeof(perl_classes[0]); i++) {
		if (tolower(letter) != *perl_classes[i].name)
			continue;
		parser->at += 2;
		add_class(parser, &perl_classes[i], isupper(letter));
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

	for (; isxdigit((unsigned char)*parser->at) && (braced ? code <= LAST_CODE : nr < 2);
	     nr++) {
		const char digit = (char)tolower((unsigned char)*parser->at++);

		code = code * 16 + (uint32_t)(digit <= '9' ? digit - '0' : digit - 'a' + 10);
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
	uint32_t code;

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
	code = next_character(parser);
	if (isalpha((unsigned char)c) || code >= 0x80)
		fail(parser, -EINVAL);
	return code;
}

static void parse_escape(struct pattern_parser *parser)
{
	if (skip(parser, "A"))
		emit_assertion(parser, ASSERT_TEXT_BEGIN);
	else if (skip(parser, "z"))
		emit_assertion(parser, ASSERT_TEXT_END);
	else if (skip(parser, "b"))
		emit_assertion(parser, ASSERT_WORD_EDGE);
	else if (skip(parser, "B"))
		emit_assertion(parser, ASSERT_NO_WORD_EDGE);
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

		if (take_perl_class(parser) ||
		    (!strncmp(parser->at, "[:", 2) && take_posix_class(parser)))
			continue;
		first = last = take_class_character(parser);
		if (parser->at[0] == '-' && parser->at[1] != ']') {
			parser->at++;
			last = take_class_character(parser);
		}
		add_folded(parser, first, last);
	}
	if (!skip(parser, "]"))
		fail(parser, -EINVAL);
	emit_class(parser, first_range, negated);
}

/* ---- repetition ---- */

/* Without zeros before it: "10". */
static bool take_times(struct pattern_parser *parser, uint32_t *times)
{
	const char *begin = parser->at;

	for (*times = 0; isdigit((unsigned char)*parser->at); parser->at++)
		if (*times <= MOST_TIMES)
			*times = *times * 10 + (uint32_t)(*parser->at - '0');
	return parser->at > begin && (*begin != '0' || parser->at == begin + 1);
}

/* Takes "{2}", "{2,}" or "{2,3}". Other text after "{" is literal. */
static bool take_braces(struct pattern_parser *parser, uint32_t *least, uint32_t *most)
{
	const char *begin = parser->at;

	if (skip(parser, "{") && take_times(parser, least)) {
		*most = NO_LIMIT;
		if (skip(parser, ",}"))
			return true;
		*most = *least;
		if ((!skip(parser, ",") || take_times(parser, most)) && skip(parser, "}"))
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

/* Repeats the steps from begin on. They may be left out (least is 0) by a way around all of them. */
static void repeat(struct pattern_parser *parser, size_t begin, uint32_t least, uint32_t most)
{
	struct pattern_code *code = parser->code;
	const size_t size = code->nr_steps - begin;

	if (!most) {
		code->nr_steps = begin;
		return;
	}
	for (uint32_t i = 1; i < least && !parser->error; i++)
		emit_copy(parser, begin, size);
	if (most == NO_LIMIT)
		emit_jump(parser, PATTERN_SPLIT, -(long)size, 1);
	else
		for (uint32_t i = least ? least : 1; i < most && !parser->error; i++) {
			emit_jump(parser, PATTERN_SPLIT, 1, (long)size + 1);
			emit_copy(parser, begin, size);
		}
	if (!least)
		insert_split(parser, begin, 1, (long)(code->nr_steps - begin) + 1);
}

/*
 * The steps from begin on have what is in them so many times at most; returns how many times they
 * have it then.
 */
static uint32_t parse_repetition(struct pattern_parser *parser, size_t begin, uint32_t times)
{
	uint32_t least, most, repeated;

	if (parser->error || !take_repetition(parser, &least, &most))
		return times;
	repeated = most == NO_LIMIT ? least : most;
	times *= repeated ? repeated : 1;
	if (!most)
		times = 1;
	if (least > most || repeated > MOST_TIMES || times > MOST_TIMES)
		fail(parser, -EINVAL);
	if (parser->error)
		return times;
	repeat(parser, begin, least, most);
	skip(parser, "?");
	if (take_repetition(parser, &least, &most))
		fail(parser, -EINVAL);
	return times;
}

/* ---- the whole expression ---- */

static uint32_t parse_alternatives(struct pattern_parser *parser);

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
		case '-': /* another flag follows */
			if (!value || !parser->at[1] || !strchr("imsU", parser->at[1]))
				fail(parser, -EINVAL);
			value = false;
			break;
		case ':':
		case ')':
			return *parser->at++ == ':';
		default:
			fail(parser, -EINVAL);
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

/* Behind "(": returns what parse_atom() does. */
static uint32_t parse_group(struct pattern_parser *parser)
{
	const struct pattern_parser before = *parser;
	uint32_t times;

	if (skip(parser, "?P<") || skip(parser, "?<"))
		skip_group_name(parser);
	else if (skip(parser, "?") && !take_flags(parser))
		return 0;
	if (++parser->nested > MOST_NESTED)
		fail(parser, -E2BIG);
	if (parser->error)
		return 0;
	times = parse_alternatives(parser);
	if (!skip(parser, ")"))
		fail(parser, -EINVAL);
	parser->nested--;
	parser->folds = before.folds;
	parser->is_of_lines = before.is_of_lines;
	parser->dot_is_all = before.dot_is_all;
	return times;
}

/* Returns how many times it has what is in it at most; 0: flags, which are nothing to repeat. */
static uint32_t parse_atom(struct pattern_parser *parser)
{
	const size_t first_range = parser->code->nr_ranges;
	uint32_t least, most;

	if (skip(parser, "("))
		return parse_group(parser);
	if (take_perl_class(parser)) {
		emit_class(parser, first_range, false);
	} else if (skip(parser, "[")) {
		parse_class(parser);
	} else if (skip(parser, "\\")) {
		parse_escape(parser);
	} else if (skip(parser, ".")) {
		if (!parser->dot_is_all)
			add_range(parser, '\n', '\n');
		emit_class(parser, first_range, true);
	} else if (skip(parser, "^")) {
		emit_assertion(parser, parser->is_of_lines ? ASSERT_LINE_BEGIN : ASSERT_TEXT_BEGIN);
	} else if (skip(parser, "$")) {
		emit_assertion(parser, parser->is_of_lines ? ASSERT_LINE_END : ASSERT_TEXT_END);
	} else if (take_repetition(parser, &least, &most)) {
		fail(parser, -EINVAL); /* nothing to repeat */
	} else {
		emit_character(parser, next_character(parser));
	}
	return 1;
}

/* A repetition applies to the last part that is neither flags nor the marks \Q and \E. */
static uint32_t parse_sequence(struct pattern_parser *parser)
{
	uint32_t times = 0, most_times = 1; /* of the last part, 0: there is none; of any */
	size_t last = 0;

	while (*parser->at && *parser->at != '|' && *parser->at != ')' && !parser->error) {
		const bool is_quoted = skip(parser, "\\Q");
		size_t begin = parser->code->nr_steps;
		uint32_t atom = is_quoted ? 0 : parse_atom(parser);

		while (is_quoted && *parser->at && !skip(parser, "\\E") && !parser->error) {
			begin = parser->code->nr_steps;
			emit_character(parser, next_character(parser));
			atom = 1;
		}
		if (atom) {
			last = begin;
			times = atom;
		}
		if (times)
			times = parse_repetition(parser, last, times);
		if (times > most_times)
			most_times = times;
	}
	return most_times;
}

/* Each but the last goes on behind all of them: its jump holds the one before as long as that is not known. */
static uint32_t parse_alternatives(struct pattern_parser *parser)
{
	struct pattern_code *code = parser->code;
	size_t begin = code->nr_steps;
	uint32_t most_times = parse_sequence(parser);
	long jump = -1;

	while (!parser->error && skip(parser, "|")) {
		uint32_t times;

		insert_split(parser, begin, 1, (long)(code->nr_steps - begin) + 2);
		emit_jump(parser, PATTERN_JUMP, jump, 0);
		if (parser->error)
			return 0;
		jump = (long)code->nr_steps - 1;
		begin = code->nr_steps;
		times = parse_sequence(parser);
		most_times = times > most_times ? times : most_times;
	}
	while (jump >= 0 && !parser->error) {
		const long before = code->steps[jump].jumps[0];

		code->steps[jump].jumps[0] = (int32_t)((long)code->nr_steps - jump);
		jump = before;
	}
	return most_times;
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
