// SPDX-License-Identifier: GPL-2.0-only
/*
 * The event is copied twice: once to be shown, and once to be cut into pieces. A piece ends where a
 * separator stood.
 */
#include "capture/events/event_words.h"

#include <stdarg.h>

#include "base/distance.h"

static const char *const signs[] = {
	[EVENT_OP_NONE] = "",	  [EVENT_OP_SET] = "=",
	[EVENT_OP_EQUAL] = "==",  [EVENT_OP_NOT_EQUAL] = "!=",
	[EVENT_OP_LESS] = "<",	  [EVENT_OP_LESS_EQUAL] = "<=",
	[EVENT_OP_GREATER] = ">", [EVENT_OP_GREATER_EQUAL] = ">=",
	[EVENT_OP_BITS] = "&",
};

static bool is_condition(const struct event_term *term)
{
	return term->op > EVENT_OP_SET;
}

/* Orders PMU terms before conditions and leaves PMU terms in the order given. */
static int compare_terms(const void *a, const void *b)
{
	const struct event_term *left = a, *right = b;
	int order = (int)is_condition(left) - (int)is_condition(right);

	if (!order && !is_condition(left))
		return (left->key > right->key) - (left->key < right->key); /* in the order given */
	if (!order)
		order = strcmp(left->key, right->key);
	if (!order)
		order = (int)left->op - (int)right->op;
	return order ? order : (left->number > right->number) - (left->number < right->number);
}

static void print_term(FILE *out, const struct event_term *term)
{
	fprintf(out, "%s%s", term->key, signs[term->op]);
	if (!is_condition(term))
		fputs(term->text ? term->text : "", out);
	else if (term->is_negative)
		fprintf(out, "%" PRId64, (int64_t)term->number);
	else
		fprintf(out, "%" PRIu64, term->number);
}

static char *make(const struct event_words *words, const char *name, const char *weight)
{
	const char *modifiers = !words->in_user ? "k" : !words->in_kernel ? "u" : "";
	struct event_term terms[EVENT_MAX_TERMS];
	char *text = NULL;
	size_t size, i;
	FILE *out = xmemstream(&text, &size);

	memcpy(terms, words->terms, sizeof(terms));
	qsort(terms, words->nr_terms, sizeof(*terms), compare_terms);
	fputs(name, out);
	if (weight)
		fprintf(out, "/weight=%s", weight);
	for (i = 0; i < words->nr_terms; i++) {
		fputc(i || weight ? ',' : '/', out);
		print_term(out, &terms[i]);
	}
	if (weight || words->nr_terms)
		fprintf(out, "/%s", modifiers);
	else if (*modifiers)
		fprintf(out, ":%s", modifiers);
	xfclose(out);
	return text;
}

char *event_name__make(const struct event_words *words, const char *name)
{
	return make(words, name, words->weight);
}

char *event_name__make_count(const struct event_words *words, const char *name)
{
	return make(words, name, NULL);
}

#define MAX_RATE_HZ 100000 /* the limit of -F */
#define LETTERS	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"
#define DIGITS	    "0123456789"

static int __attribute__((format(printf, 3, 4)))
complain(const struct event_words *words, struct error *err, const char *format, ...)
{
	struct quoted quoted;
	char text[320];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	return error__say(err, EXIT_USAGE, -EINVAL, "in the event %s: %s",
			  quote(&quoted, words->said), text);
}

/* ---- where an item ends ---- */

/* Probes name files, whose paths contain slashes. Terms can only begin after this many colons. */
static const struct {
	const char *prefix;
	unsigned int nr_colons;
} probes[] = {
	{"uprobe:", 2}, {"uretprobe:", 2}, {"usdt:", 2}, {"kprobe:", 1}, {"kretprobe:", 1},
};

static unsigned int count_place_colons(const char *item)
{
	size_t i;

	for (i = 0; i < sizeof(probes) / sizeof(probes[0]); i++)
		if (!strncmp(item, probes[i].prefix, strlen(probes[i].prefix)))
			return probes[i].nr_colons;
	return 0;
}

/*
 * Returns the length of an operator's name, whose brackets do not nest: "operator<<" of
 * "operator<<(A)", "operator()" of "operator()(A)". 0: text is no operator.
 */
static size_t operator_length(const char *text)
{
	static const char operator[] = "operator";
	size_t length = strlen(operator);

	if (strncmp(text, operator, length) != 0)
		return 0;
	length += !strncmp(text + length, "()", 2) ? 2 : strspn(text + length, "<>=+-*/%^&|~!,[]");
	return text[length] == '(' || text[length] == ' ' ? length : 0;
}

/*
 * Skips a function's signature, "ns::swap(A<int, 2>&, int)": commas and slashes inside brackets
 * belong to it.
 */
static const char *skip_function(const char *at)
{
	int depth = 0;

	while (*at && (depth > 0 || !strchr(",/", *at))) {
		const size_t length = operator_length(at);

		depth += !length && strchr("(<[{", *at);
		depth -= !length && strchr(")>]}", *at);
		at += length ? length : 1;
	}
	return at;
}

/* Returns where the place of a probe ends and slashes begin to enclose terms. */
static const char *skip_place(const char *item)
{
	unsigned int nr_colons = count_place_colons(item);

	if (!nr_colons)
		return item;
	for (; nr_colons && *item && *item != ','; item++)
		nr_colons -= *item == ':';
	return nr_colons ? item : skip_function(item);
}

size_t event_words__item_length(const char *list)
{
	const char *at = skip_place(list);
	bool is_inside = false;

	for (; *at && (*at != ',' || is_inside); at++)
		is_inside ^= *at == '/';
	return (size_t)(at - list);
}

/* ---- values ---- */

/* Reads a decimal or 0x number with an optional minus. False: not a number of 64 bits. */
static bool read_number(const char *text, struct event_term *term)
{
	const char *digits = text + (*text == '-');
	const bool is_hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
	const char *allowed = is_hex ? DIGITS "abcdefABCDEF" : DIGITS;
	unsigned long long magnitude;

	digits += is_hex ? 2 : 0;
	if (!*digits || digits[strspn(digits, allowed)])
		return false;
	errno = 0;
	magnitude = strtoull(digits, NULL, is_hex ? 16 : 10);
	if (errno || (*text == '-' && magnitude > (unsigned long long)INT64_MAX + 1))
		return false;
	term->is_number = true;
	term->is_negative = *text == '-' && magnitude;
	term->number = *text == '-' ? -(uint64_t)magnitude : magnitude;
	return true;
}

static int store_number(const struct event_words *words, const struct event_term *term,
			uint64_t most, uint64_t *number, struct error *err)
{
	struct quoted quoted;

	if (!term->is_number || term->is_negative || !term->number || term->number > most)
		return complain(words, err, "%s is a whole number from 1 to %" PRIu64 ", not %s",
				term->key, most, quote(&quoted, term->text));
	if (*number)
		return complain(words, err, "%s is said twice", term->key);
	*number = term->number;
	return 0;
}

static int store_period(struct event_words *words, const struct event_term *term, struct error *err)
{
	return store_number(words, term, INT64_MAX, &words->period, err);
}

static int store_freq(struct event_words *words, const struct event_term *term, struct error *err)
{
	return store_number(words, term, MAX_RATE_HZ, &words->freq_hz, err);
}

static int store_name(const struct event_words *words, const struct event_term *term,
		      const char **name, struct error *err)
{
	struct quoted quoted;

	if (!strspn(term->text, LETTERS) || term->text[strspn(term->text, LETTERS DIGITS)])
		return complain(words, err, "%s is a word of letters and digits, not %s", term->key,
				quote(&quoted, term->text));
	if (*name)
		return complain(words, err, "%s is said twice", term->key);
	*name = term->text;
	return 0;
}

static int store_weight(struct event_words *words, const struct event_term *term, struct error *err)
{
	return store_name(words, term, &words->weight, err);
}

/*
 * Units as written in -e, and as stored in files. Values in these units are shown with scaled
 * units.
 */
static const struct {
	const char *said, *name;
} units[] = {
	{"ns", "nanoseconds"}, {"us", "microseconds"}, {"ms", "milliseconds"},
	{"s", "seconds"},      {"bytes", "bytes"},     {"nanoseconds", "nanoseconds"},
};

/*
 * Replaces an abbreviation. Any other word is accepted as a unit, unless it looks like a misspelt
 * one of these.
 */
static int store_unit(struct event_words *words, const struct event_term *term, struct error *err)
{
	int code = store_name(words, term, &words->unit, err);
	size_t length, i;

	if (code)
		return code;
	length = strlen(words->unit);
	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (!strcmp(words->unit, units[i].said)) {
			words->unit = units[i].name;
			return 0;
		}
		if (length > 2 && distance__measure(words->unit, length, units[i].said) == 1)
			return complain(words, err, "there is no unit %s; near: %s", words->unit,
					units[i].said);
	}
	return strcmp(words->unit, "count") ? 0
					    : complain(words, err,
						       "count is no unit of a weight: hits are "
						       "counted anyway");
}

static const struct common_term {
	const char *key, *value;
	int (*store)(struct event_words *words, const struct event_term *term, struct error *err);
} common_terms[] = {
	{"period", "N", store_period},
	{"freq", "N", store_freq},
	{"weight", "FIELD", store_weight},
	{"unit", "bytes|ns|NAME", store_unit},
};

/* ---- terms ---- */

/* Longest first, so that "<=" is not read as "<". */
static const struct {
	const char *sign;
	enum event_op op;
} operators[] = {
	{"==", EVENT_OP_EQUAL},		{"!=", EVENT_OP_NOT_EQUAL},
	{"<=", EVENT_OP_LESS_EQUAL},	{"<", EVENT_OP_LESS},
	{">=", EVENT_OP_GREATER_EQUAL}, {">", EVENT_OP_GREATER},
	{"&", EVENT_OP_BITS},		{"=", EVENT_OP_SET},
};

/* Returns the length of the operator at the start of text; 0: there is none. */
static size_t read_operator(const char *text, enum event_op *op)
{
	size_t i, length;

	for (i = 0; i < sizeof(operators) / sizeof(operators[0]); i++) {
		length = strlen(operators[i].sign);
		if (!strncmp(text, operators[i].sign, length)) {
			*op = operators[i].op;
			return length;
		}
	}
	return 0;
}

static int cut_term(const struct event_words *words, char *text, struct event_term *term,
		    struct error *err)
{
	const size_t key_length = strcspn(text, "=!<>&");
	struct quoted quoted;
	size_t sign_length;

	*term = (struct event_term){.key = text};
	if (!*text)
		return complain(words, err, "a term is empty");
	if (!key_length)
		return complain(words, err, "the term %s has no name", quote(&quoted, text));
	if (!text[key_length])
		return 0;
	sign_length = read_operator(text + key_length, &term->op);
	if (!sign_length)
		return complain(words, err, "%s: there are =, ==, !=, <, <=, >, >= and &",
				quote(&quoted, text));
	term->text = text + key_length + sign_length;
	if (!*term->text)
		return complain(words, err, "the term %s has no value", quote(&quoted, text));
	if (!read_number(term->text, term) && term->op != EVENT_OP_SET)
		return complain(words, err, "%s: a field is compared with a number of 64 bits",
				quote(&quoted, text));
	text[key_length] = '\0';
	return 0;
}

static int take_term(struct event_words *words, char *text, struct error *err)
{
	const struct common_term *common = NULL;
	struct event_term term;
	int code = cut_term(words, text, &term, err);

	if (code)
		return code;
	for (size_t i = 0; i < sizeof(common_terms) / sizeof(common_terms[0]); i++)
		if (!strcmp(term.key, common_terms[i].key) && term.op <= EVENT_OP_SET)
			common = &common_terms[i];
	if (common && !term.text)
		return complain(words, err, "%s has no value: %s=%s", common->key, common->key,
				common->value);
	if (common)
		return common->store(words, &term, err);
	if (words->nr_terms == EVENT_MAX_TERMS)
		return complain(words, err, "there are more than %d terms", EVENT_MAX_TERMS);
	words->terms[words->nr_terms++] = term;
	return 0;
}

/* ---- the whole ---- */

static int take_modifiers(struct event_words *words, const char *letters, struct error *err)
{
	const bool has_user = strchr(letters, 'u'), has_kernel = strchr(letters, 'k');
	struct quoted quoted;

	if (letters[strspn(letters, "uk")])
		return complain(words, err, "of modifiers there are u and k, not %s",
				quote(&quoted, letters));
	words->in_user = has_user || !has_kernel;
	words->in_kernel = has_kernel || !has_user;
	return 0;
}

static int take_name_and_modifiers(struct event_words *words, char *name, struct error *err)
{
	char *colon = count_place_colons(name) ? NULL : strrchr(name, ':');

	if (!colon || colon[1 + strspn(colon + 1, "ukhp")])
		return 0;
	if (!colon[1])
		return complain(words, err, "there is nothing after the colon");
	*colon = '\0';
	return take_modifiers(words, colon + 1, err);
}

static int take_between_slashes(struct event_words *words, char *item, char *slash,
				struct error *err)
{
	char *end = strchr(slash + 1, '/'), *text = slash + 1, *comma;
	int code;

	if (!end)
		return complain(words, err, "the slash before the terms is not closed by another");
	*slash = *end = '\0';
	end++;
	if (*end)
		code = take_modifiers(words, end + (*end == ':'), err);
	else
		code = take_name_and_modifiers(words, item, err);

	while (text && !code) {
		comma = strchr(text, ',');
		if (comma)
			*comma = '\0';
		code = take_term(words, text, err);
		text = comma ? comma + 1 : NULL;
	}
	if (!code && words->period && words->freq_hz)
		return complain(words, err, "period and freq exclude each other");
	return code;
}

int event_words__parse(struct event_words *words, const char *item, size_t length,
		       struct error *err)
{
	char *copy, *slash;
	int code;

	*words = (struct event_words){.in_user = true, .in_kernel = true};
	if (!length)
		return error__say(err, EXIT_USAGE, -EINVAL, "there is an empty event in the list");
	if (length > EVENT_MAX_BYTES)
		return error__say(err, EXIT_USAGE, -EINVAL, "an event has no more than %d bytes",
				  EVENT_MAX_BYTES);
	for (size_t i = 0; i < length; i++)
		if ((unsigned char)item[i] < ' ' || item[i] == 0x7f)
			return error__say(err, EXIT_USAGE, -EINVAL,
					  "there are control characters in an event");
	words->said = xcalloc(2, length + 1);
	copy = words->said + length + 1;
	memcpy(words->said, item, length);
	memcpy(copy, item, length);
	words->name = copy;
	slash = strchr(skip_place(copy), '/');
	code = slash ? take_between_slashes(words, copy, slash, err)
		     : take_name_and_modifiers(words, copy, err);
	if (!code && !*copy)
		code = complain(words, err, "there is no name");
	if (code)
		event_words__free(words);
	return code;
}

bool event_words__are_bare(const struct event_words *words)
{
	return words->in_user && words->in_kernel && !words->freq_hz && !words->period &&
	       !words->weight && !words->unit && !words->nr_terms;
}

void event_words__free(struct event_words *words)
{
	free(words->said);
	*words = (struct event_words){0};
}
