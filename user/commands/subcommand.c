// SPDX-License-Identifier: GPL-2.0-only
/*
 * The common parts of all subcommands: parsing words, printing help, and the exit code of a
 * failure, so that a command only has its rows and its own work.
 */
#include "commands/subcommand.h"

#include "base/options/options.h"

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
	options__print_usage(stdout, command == subcommands[0] ? "" : command->name,
			     command->usage);
	printf("\n");
	options__print_wrapped(stdout, command->description, 0);
	options__print_help(stdout, command->rows);
	print_lines("Examples", command->examples);
	print_lines("Exit codes", command->exit_codes);
}

void subcommand__print_overview(void)
{
	const struct subcommand *top = subcommands[0];

	options__print_usage(stdout, "", top->usage);
	printf("\n");
	options__print_wrapped(stdout, top->description, 0);
	printf("\nMost used options (topstacks COMMAND --help has all, and examples):\n");
	options__print_some(stdout, top->rows, top->most_used);
	printf("\nCommands:\n");
	for (size_t i = 0; subcommands[i]; i++)
		printf("  %-8s %s\n", subcommands[i]->name, subcommands[i]->summary);
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
		.values = xcalloc(1, command->values_size),
	};
	code = options__parse(options, words, err);
	if (code == -ENOENT)
		error__remedy(err, "\"topstacks %s --help\" lists all", command->name);
	if (!code && !options->help && !options->version)
		code = command->run(options, err);
	if (code < 0 && own_codes && err->exit_code < EXIT_CANCELED)
		err->exit_code = EXIT_CANCELED;
	options__fini(options);
	free(options->values);
	return code;
}
