/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A subcommand: the data that main.c needs to parse its words, show its help and run it.
 *
 * main.c ignores SIGPIPE, so that a closed pipe is -EPIPE from a write. Code that executes another
 * program first sets SIGPIPE back to SIG_DFL.
 */
#ifndef TOPSTACKS_COMMANDS_SUBCOMMAND_H
#define TOPSTACKS_COMMANDS_SUBCOMMAND_H

#include "base/common.h"
#include "base/options/options.h"

struct subcommand {
	const char *name;
	const char *summary;	 /* one line of the list of commands */
	const char *usage;	 /* one or more lines, the words after "topstacks NAME " */
	const char *description; /* a paragraph below the usage; --help breaks its lines */
	const char *examples;	 /* commands to type, one a line */
	const char *exit_codes;	 /* one a line, each with its meaning */
	enum operands operands;
	const char
		*actions; /* "save|show": the first operand is one of them; NULL: no such operand */
	enum option_hint hint; /* kind of the operands */
	bool samples;	       /* it samples, or checks whether it could; other commands give up
			        * the rights for sampling */
	const struct option_row *rows;
	const char *const *most_used; /* names of rows, ended by NULL; of the first command alone */
	size_t values_size;	      /* of the struct that the rows fill */

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

/*
 * All subcommands, in main.c, ended by NULL. The first is the default if the first word names none.
 */
extern const struct subcommand *const subcommands[];

/* Returns NULL, with err filled, if there is no such subcommand. */
const struct subcommand *subcommand__find(const char *name, struct error *err);

/* To stdout: all that a command has; a screen of what the program has. */
void subcommand__print_help(const struct subcommand *command);
void subcommand__print_overview(void);

/* Whether "-- COMMAND" is among the words; call it before the parser removes that. */
bool subcommand__runs_program(const struct subcommand *command, char **words);

/*
 * Parses the words after the command's name and runs it, unless options->help or ->version is set.
 * The contents of options are invalid afterwards. With "-- COMMAND", err's exit code is
 * EXIT_CANCELED or above. Returns as command->run().
 */
int subcommand__run(const struct subcommand *command, char **words, struct options *options,
		    struct error *err);

#endif
