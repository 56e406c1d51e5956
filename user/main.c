// SPDX-License-Identifier: GPL-2.0-only
/* The table of subcommands: finds the one that is meant and returns its exit code. */
#include <errno.h>
#include <string.h>

#include "base/output.h"
#include "base/rights.h"
#include "commands/subcommand.h"
#include "commands/version.h"

/* The first one is meant when the first word is none of them. */
static const struct subcommand *const commands[] = {
	&subcommand_top,      &subcommand_record, &subcommand_report, &subcommand_diff,
	&subcommand_baseline, &subcommand_list,	  &subcommand_doctor, NULL,
};

static int dispatch(char **words, struct error *err)
{
	const struct subcommand *command = commands[0];
	struct options options = {0};
	bool help = *words && !strcmp(*words, "help");
	int code = 0;

	if (help)
		words++;
	if (*words && **words != '-') {
		command = subcommand__find(commands, *words++, err);
		if (!command)
			return err->code;
	}
	if (help || !command->samples)
		rights__give_up();
	if (!help)
		code = subcommand__run(command, words, &options, err);
	if (!code && (help || options.help))
		subcommand__print_help(command, commands);
	if (!code && options.version)
		version__print();
	return code;
}

int main(int argc, char **argv)
{
	struct error err = {0}, unwritten = {0};
	int code;

	code = rights__init();
	output__prepare();
	code = code ? error__set(&err, EXIT_SYSTEM, code,
				 "cannot give up the rights of the program file")
		    : dispatch(argv + (argc > 0), &err);
	if (output__finish(&unwritten) && code >= 0) {
		err = unwritten;
		code = err.code;
	}
	if (code >= 0)
		return code;
	if (code == -EPIPE)
		return EXIT_DONE;
	output__print_error(&err);
	return err.exit_code;
}
