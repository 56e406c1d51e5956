// SPDX-License-Identifier: GPL-2.0-only
/* The table of subcommands: finds the one that is meant and returns its exit code. */

#include "base/memory.h"
#include "base/output/output.h"
#include "base/system/rights.h"
#include "commands/subcommand.h"
#include "commands/version.h"

/* The first one is meant when the first word is none of them. */
const struct subcommand *const subcommands[] = {
	&subcommand_top,
	&subcommand_record,
	&subcommand_report,
	&subcommand_serve,
	&subcommand_last,
	&subcommand_diff,
	&subcommand_baseline,
	&subcommand_list,
	&subcommand_doctor,
	&subcommand_help,
	NULL,
};

/* rights: what rights__init() gave. */
static int dispatch(char **words, int rights, struct error *err)
{
	const struct subcommand *command = subcommands[0];
	const bool is_named = *words && **words != '-';
	struct options options = {0};
	int code;

	if (is_named) {
		command = subcommand__find(*words++, err);
		if (!command)
			return err->code;
	}
	if (rights)
		return error__set(
			err, subcommand__runs_program(command, words) ? EXIT_CANCELED : EXIT_SYSTEM,
			rights, "cannot give up the rights of the program file");
	if (!command->samples)
		rights__give_up();
	code = subcommand__run(command, words, &options, err);
	if (!code && options.help && is_named)
		subcommand__print_help(command);
	else if (!code && options.help)
		subcommand__print_overview();
	if (!code && options.version)
		version__print();
	return code;
}

int main(int argc, char **argv)
{
	struct error err = {0}, unwritten = {0};
	int code, rights;

	rights = rights__init();
	memory__set_aside();
	output__prepare();
	code = dispatch(argv + (argc > 0), rights, &err);
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
