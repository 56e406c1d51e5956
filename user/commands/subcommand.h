/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A subcommand: what main.c needs to know to parse its words, show its help and run it.
 *
 * main.c ignores SIGPIPE, so that a closed pipe is -EPIPE from a write: whoever executes another
 * program sets SIGPIPE back to SIG_DFL first.
 */
#ifndef TOPSTACKS_COMMANDS_SUBCOMMAND_H
#define TOPSTACKS_COMMANDS_SUBCOMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/options/options.h"

struct subcommand {
	const char *name;
	const char *summary;	 /* one line of the list of commands */
	const char *usage;	 /* one or more lines, what follows "topstacks NAME " */
	const char *description; /* a paragraph below the usage; --help breaks its lines */
	const char *examples;	 /* commands, one a line, as somebody types them */
	const char *exit_codes;	 /* one a line, and what it means */
	enum operands operands;
	const char
		*actions; /* "save|show": the first operand is one of them; NULL: it is as others */
	enum option_hint hint; /* what operands are */
	bool samples;	       /* or asks whether it could; others give up what rights that needs */
	const struct option_row *rows;
	const char *const *most_used; /* names of rows, ended by NULL; of the first command alone */
	size_t values_size; /* of the struct that the rows fill */

	/*
	 * Runs with parsed options (values, words). Writes to stdout and need not flush it. Returns
	 * an exit code (>= 0), or a negative errno with err filled, which main.c prints; -EPIPE
	 * ends the program in silence.
	 */
	int (*run)(const struct options *options, struct error *err);
};

extern const struct subcommand subcommand_top;
extern const struct subcommand subcommand_record;
extern const struct subcommand subcommand_report;
extern const struct subcommand subcommand_last;
extern const struct subcommand subcommand_diff;
extern const struct subcommand subcommand_baseline;
extern const struct subcommand subcommand_serve;
extern const struct subcommand subcommand_list;
extern const struct subcommand subcommand_doctor;
extern const struct subcommand subcommand_help;

/* In main.c: all of them, ended by NULL. The first is meant when the first word is none of them. */
extern const struct subcommand *const subcommands[];

/* Returns NULL, with err filled, if there is none of that name. */
const struct subcommand *subcommand__find(const char *name, struct error *err);

/* To stdout: all that a command has; a screen of what the program has. */
void subcommand__print_help(const struct subcommand *command);
void subcommand__print_overview(void);

/* Whether "-- COMMAND" is among the words, before the parser takes it out. */
bool subcommand__runs_program(const struct subcommand *command, char **words);

/*
 * Parses the words that follow the command's name and runs it, unless options->help or ->version were asked for. What
 * options have is dead afterwards. With "-- COMMAND", err's exit code is EXIT_CANCELED or above. Returns as command->run.
 */
int subcommand__run(const struct subcommand *command, char **words, struct options *options,
		    struct error *err);

#endif
