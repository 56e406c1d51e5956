// SPDX-License-Identifier: GPL-2.0-only
/* topstacks help: the help of a command, and completion scripts for shells. */

#include "commands/subcommand.h"
#include "completion/completion.h"

struct help_options {
	const char *shell, *candidates;
};

static const struct option_row rows[] = {
	{OPT_SECTION("Completion")},
	{0, "completion", "SHELL", OPT_STRING_OF(struct help_options, shell, HINT_SHELL), NULL,
	 "print a script that makes bash, zsh or fish complete command lines"},
	{0, "candidates", "KIND", OPT_STRING_OF(struct help_options, candidates, HINT_CANDIDATES),
	 NULL, "print all values of a kind, such as pids or events; used by these scripts"},
	{0},
};

static int run_help(const struct options *options, struct error *err)
{
	const struct help_options *wanted = options->values;
	struct completion_command commands[32];
	const struct subcommand *command;
	size_t nr = 0;
	const size_t nr_wanted =
		options->nr_words + (wanted->shell != NULL) + (wanted->candidates != NULL);

	if (nr_wanted > 1)
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "help takes one COMMAND, or --completion, or --candidates");
	if (wanted->shell)
		return completion__print_script(stdout, wanted->shell, err);
	for (; nr < sizeof(commands) / sizeof(*commands) && subcommands[nr]; nr++)
		commands[nr] = (struct completion_command){
			.name = subcommands[nr]->name,
			.summary = subcommands[nr]->summary,
			.rows = subcommands[nr]->rows,
			.operands = subcommands[nr]->operands,
			.actions = subcommands[nr]->actions,
			.hint = subcommands[nr]->hint,
		};
	if (wanted->candidates)
		return completion__print_candidates(stdout, wanted->candidates, commands, nr, err);
	if (!options->nr_words) {
		subcommand__print_overview();
		return EXIT_DONE;
	}
	command = subcommand__find(options->words[0], err);
	if (command)
		subcommand__print_help(command);
	return command ? EXIT_DONE : err->code;
}

const struct subcommand subcommand_help = {
	.name = "help",
	.summary = "show the options of a command: topstacks help COMMAND",
	.usage = "[COMMAND]\n"
		 "--completion SHELL",
	.description = "Prints the options of a command, as topstacks COMMAND --help does. With "
		       "--completion it prints a script that makes a shell complete command lines.",
	.examples = "topstacks help record\n"
		    "topstacks help --completion fish >topstacks.fish\n"
		    "eval \"$(topstacks help --completion bash)\"    # in ~/.bashrc\n"
		    "source <(topstacks help --completion zsh)     # in ~/.zshrc, after compinit",
	.exit_codes = "0  printed\n"
		      "2  there is no such command, shell or kind\n"
		      "4  an internal or I/O error, such as a write to a full disk",
	.operands = OPERANDS_WORDS,
	.hint = HINT_COMMAND,
	.samples = true, /* lists the available events */
	.rows = rows,
	.values_size = sizeof(struct help_options),
	.run = run_help,
};
