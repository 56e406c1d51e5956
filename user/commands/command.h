/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A subcommand: what main.c needs to know to parse its words, show its help and run it.
 *
 * main.c ignores SIGPIPE, so that a closed pipe is -EPIPE from a write: whoever executes another
 * program sets SIGPIPE back to SIG_DFL first.
 */
#ifndef TOPSTACKS_COMMANDS_COMMAND_H
#define TOPSTACKS_COMMANDS_COMMAND_H

#include <stddef.h>

#include "base/options.h"
#include "topstacks/error.h"

struct command {
	const char *name;
	const char *summary;	 /* one line of the list of commands */
	const char *usage;	 /* one or more lines, what follows "topstacks NAME " */
	const char *description; /* some lines below the usage */
	enum operands operands;
	const struct option_row *rows;
	size_t values_size; /* of the struct that the rows fill */

	/*
	 * Runs with parsed options (values, words). Writes to stdout and need not flush it. Returns
	 * an exit code (>= 0), or a negative errno with err filled, which main.c prints.
	 */
	int (*run)(const struct options *options, struct error *err);
};

extern const struct command command_top;
extern const struct command command_doctor;

#endif
