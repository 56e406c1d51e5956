// SPDX-License-Identifier: GPL-2.0-only
/*
 * The common parts of all subcommands: parsing words, printing help, and the exit code of a
 * failure, so that a command only has its rows and its own work.
 */
#include "commands/subcommand.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/options/options.h"
#include "base/quote.h"

const struct subcommand *subcommand__find(const char *name, struct error *err)
{
	const struct subcommand *const *commands = subcommands;
	struct quoted quoted;
	char names[256] = "";
	int length = 0;

	for (; *commands; commands++) {
		if (!strcmp((*commands)->name, name))
			return *commands;
		if (length < (int)sizeof(names))
			length += snprintf(names + length, sizeof(names) - (size_t)length, "%s%s",
					   length ? ", " : "", (*commands)->name);
	}
	error__say(err, EXIT_USAGE, -EINVAL,
		   "no command %s, there are %s; to run and sample a program: topstacks -- "
		   "PROGRAM",
		   quote(&quoted, name), names);
	return NULL;
}

/* Prints the usage, with the program's name before each line. */
static void print_usage(const char *usage, const char *name)
{
	const char *prefix = "Usage:";

	for (;;) {
		size_t length = strcspn(usage, "\n");

		printf("%s topstacks %s%s%.*s\n", prefix, name, *name ? " " : "", (int)length,
		       usage);
		if (!usage[length])
			return;
		usage += length + 1;
		prefix = "      ";
	}
}

static void print_commands(void)
{
	size_t i;

	printf("\nCommands:\n");
	for (i = 0; subcommands[i]; i++)
		printf("  %-8s %s\n", subcommands[i]->name, subcommands[i]->summary);
}

static void print_lines(const char *title, const char *lines)
{
	printf("\n%s:\n", title);
	for (size_t length; *lines; lines += length + (lines[length] != '\0')) {
		length = strcspn(lines, "\n");
		printf("  %.*s\n", (int)length, lines);
	}
}

void subcommand__print_help(const struct subcommand *command)
{
	bool is_default = command == subcommands[0];

	print_usage(command->usage, is_default ? "" : command->name);
	printf("\n");
	options__print_wrapped(stdout, command->description, 0);
	options__print_help(stdout, command->rows);
	print_lines("Examples", command->examples);
	print_lines("Exit codes", command->exit_codes);
	if (is_default)
		print_commands();
}

bool subcommand__runs_program(const struct subcommand *command, char **words)
{
	for (; command->operands == OPERANDS_COMMAND && *words; words++)
		if (!strcmp(*words, "--"))
			return true;
	return false;
}

int subcommand__run(const struct subcommand *command, char **words, struct options *options,
		    struct error *err)
{
	bool own_codes = subcommand__runs_program(command, words);
	int code;

	*options = (struct options){
		.rows = command->rows,
		.operands = command->operands,
		.values = calloc(1, command->values_size),
	};
	if (!options->values)
		return error__no_memory(err);
	code = options__parse(options, words, err);
	if (!code && !options->help && !options->version)
		code = command->run(options, err);
	if (code < 0 && own_codes && err->exit_code < EXIT_CANCELED)
		err->exit_code = EXIT_CANCELED;
	options__fini(options);
	free(options->values);
	return code;
}
