// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parses a command line. It does so by hand because getopt_long has state of its own, accepts
 * abbreviations (which break scripts when an option is added), prints typed words unescaped, and
 * would need its tables built from ours; argp prints and exits by itself. The rest is no longer
 * than the glue would be.
 *
 * Invariant: operands are gathered at argv[0 .. nr_words), which never overtakes the word that is
 * being parsed.
 */
#include "base/options/options.h"

#include <ctype.h>

#include "base/distance.h"

const struct option_row common_option_rows[] = {
	{OPT_SECTION("Other")},
	{'h', "help", NULL, OPT_FLAG(struct options, help), NULL, "print this help"},
	{0, "version", NULL, OPT_FLAG(struct options, version), NULL, "print the version"},
	{0},
};

/*
 * A table of rows and the struct that they fill: the command's, or struct options for the common
 * rows.
 */
struct row_table {
	const struct option_row *rows;
	void *values;
};

struct parser {
	struct row_table tables[2];
	struct error *err;
	char **next; /* word */

	/* The option being taken: how it was spelled ("-i", "--interval"), its row, its struct. */
	char name[64];
	const struct option_row *row;
	void *values;
};

static int store(struct parser *parser, const char *text)
{
	const int code = option__store(parser->row, parser->values, text);
	struct quoted quoted;
	char accepted[128];

	if (!code)
		return 0;
	option__describe(parser->row, accepted, sizeof(accepted));
	return error__say(parser->err, EXIT_USAGE, code, "bad value %s for %s: expected %s",
			  quote(&quoted, text), parser->name, accepted);
}

/*
 * Takes the next word as value, even if it looks like an option; but "--" always ends the options.
 */
static int store_next(struct parser *parser)
{
	const char *text = *parser->next;
	char accepted[128];

	if (text && strcmp(text, "--") != 0) {
		parser->next++;
		return store(parser, text);
	}
	option__describe(parser->row, accepted, sizeof(accepted));
	return error__say(parser->err, EXIT_USAGE, -EINVAL, "%s needs a value: %s", parser->name,
			  accepted);
}

static bool takes_value(const struct option_row *row)
{
	return row->kind != OPTION_FLAG && row->kind != OPTION_MARK && row->kind != OPTION_OPTIONAL;
}

static void set_flag(struct parser *parser)
{
	const struct options *options = parser->tables[1].values;
	char *field = (char *)parser->values + parser->row->offset;

	if (parser->row->kind == OPTION_MARK)
		*(size_t *)field = options->nr_words + 1;
	else if (parser->row->kind == OPTION_OPTIONAL)
		*(const char **)field = "";
	else
		*(bool *)field = true;
}

/* Finds a row by letter, or by the first length bytes of name. */
static bool find_row(struct parser *parser, char letter, const char *name, size_t length)
{
	size_t i;

	for (i = 0; i < 2; i++) {
		const struct option_row *row = parser->tables[i].rows;

		for (; row->kind != OPTION_END; row++) {
			if (row->kind == OPTION_SECTION)
				continue;
			if (letter ? row->letter == letter
				   : row->name && strlen(row->name) == length &&
					     !strncmp(row->name, name, length)) {
				parser->row = row;
				parser->values = parser->tables[i].values;
				return true;
			}
		}
	}
	return false;
}

/*
 * Suggests a name for an unknown one: it has name as a prefix, or the same first letter and at most
 * a third of other characters.
 */
static const char *find_nearest(const struct parser *parser, const char *name, size_t length)
{
	const char *nearest = NULL;
	size_t least = SIZE_MAX, i;

	for (i = 0; length > 1 && i < 2; i++) {
		const struct option_row *row = parser->tables[i].rows;

		for (; row->kind != OPTION_END; row++) {
			size_t distance;

			if (row->kind == OPTION_SECTION || !row->name)
				continue;
			distance = strncmp(row->name, name, length)
					   ? distance__measure(name, length, row->name)
					   : 0;
			if (distance < least && distance <= (strlen(row->name) + 2) / 3 &&
			    (!distance || *name == *row->name)) {
				least = distance;
				nearest = row->name;
			}
		}
	}
	return nearest;
}

static int refuse_unknown(struct parser *parser, const char *word, const char *name, size_t length)
{
	const char *nearest = find_nearest(parser, name, length);
	struct quoted quoted;

	quote(&quoted, word);
	if (nearest)
		return error__say(parser->err, EXIT_USAGE, -EINVAL,
				  "unknown option %s; did you mean --%s?", quoted.text, nearest);
	return error__say(parser->err, EXIT_USAGE, -ENOENT, "unknown option %s", quoted.text);
}

/* Takes --name, --name=value or --name value. */
static int take_long(struct parser *parser, const char *word)
{
	const char *name = word + 2;
	const char *end = strchrnul(name, '=');
	size_t length = (size_t)(end - name);
	struct quoted quoted;

	if (!find_row(parser, 0, name, length))
		return refuse_unknown(parser, word, name, length);
	snprintf(parser->name, sizeof(parser->name), "--%s", parser->row->name);
	if (takes_value(parser->row))
		return *end ? store(parser, end + 1) : store_next(parser);
	if (*end && parser->row->kind == OPTION_OPTIONAL)
		return store(parser, end + 1);
	if (*end)
		return error__say(parser->err, EXIT_USAGE, -EINVAL,
				  "%s takes no value, but is given %s", parser->name,
				  quote(&quoted, end + 1));
	set_flag(parser);
	return 0;
}

/* Takes -a, -ab, -abVALUE or -ab VALUE. */
static int take_short(struct parser *parser, const char *word)
{
	struct quoted quoted;

	for (const char *letter = word + 1; *letter; letter++) {
		if (!find_row(parser, *letter, NULL, 0)) {
			if (!word[2] || !isprint((unsigned char)*letter))
				return refuse_unknown(parser, word, word + 1, strlen(word + 1));
			return error__say(parser->err, EXIT_USAGE, -ENOENT,
					  "unknown option -%c in %s", *letter,
					  quote(&quoted, word));
		}
		snprintf(parser->name, sizeof(parser->name), "-%c", *letter);
		if (takes_value(parser->row))
			return letter[1] ? store(parser, letter + 1) : store_next(parser);
		set_flag(parser);
	}
	return 0;
}

/* Takes a word that is neither an option nor an option's value, before any "--". */
static int take_word(struct parser *parser, struct options *options, char *word)
{
	struct quoted quoted;

	switch (options->operands) {
	case OPERANDS_WORDS:
		options->words[options->nr_words++] = word;
		return 0;
	case OPERANDS_COMMAND:
		return error__say(parser->err, EXIT_USAGE, -EINVAL,
				  "unexpected word %s; put -- before a command to run",
				  quote(&quoted, word));
	case OPERANDS_NONE:
		break;
	}
	return error__say(parser->err, EXIT_USAGE, -EINVAL,
			  "unexpected word %s; only options are accepted here",
			  quote(&quoted, word));
}

/* Takes the words after "--". */
static int take_rest(struct parser *parser, struct options *options)
{
	if (options->operands == OPERANDS_COMMAND && !*parser->next)
		return error__say(parser->err, EXIT_USAGE, -EINVAL,
				  "-- needs a command to run after it");
	if (options->operands == OPERANDS_NONE && *parser->next)
		return take_word(parser, options, *parser->next);
	while (*parser->next)
		options->words[options->nr_words++] = *parser->next++;
	return 0;
}

int options__parse(struct options *options, char **argv, struct error *err)
{
	struct parser parser = {
		.tables = {{options->rows, options->values}, {common_option_rows, options}},
		.values = options->values,
		.err = err,
		.next = argv,
	};
	int code = 0;

	/* A preset that its own row refuses is our error, but reported like a user's. */
	for (parser.row = options->rows; !code && parser.row->kind != OPTION_END; parser.row++) {
		if (!parser.row->preset)
			continue;
		snprintf(parser.name, sizeof(parser.name), "the default of --%s", parser.row->name);
		code = store(&parser, parser.row->preset);
	}

	options->words = argv;
	while (!code && !options->help && !options->version && *parser.next) {
		char *word = *parser.next++;

		if (!strcmp(word, "--")) {
			code = take_rest(&parser, options);
			break;
		}
		if (!strncmp(word, "--", 2))
			code = take_long(&parser, word);
		else if (word[0] == '-' && word[1])
			code = take_short(&parser, word);
		else
			code = take_word(&parser, options, word);
	}
	options->words[options->nr_words] = NULL;
	return code;
}

void options__fini(struct options *options)
{
	const struct option_row *row;

	for (row = options->rows; row->kind != OPTION_END; row++)
		option__release(row, options->values);
}
