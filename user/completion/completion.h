/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Completion scripts for shells, made from the rows that also parse options; and the candidates
 * that such a script asks for when the user presses TAB.
 *
 * Names of processes, users, cgroups and events are chosen by their owners, and a shell may execute
 * what it reads. So all output has only letters, digits and a few characters without a meaning to
 * any shell.
 */
#ifndef TOPSTACKS_COMPLETION_COMPLETION_H
#define TOPSTACKS_COMPLETION_COMPLETION_H

#include "base/common.h"
#include "base/options/options.h"

/* A command's data for completion; as in struct subcommand. */
struct completion_command {
	const char *name, *summary;
	const struct option_row *rows;
	enum operands operands;
	const char *actions;
	enum option_hint hint;
};

/*
 * Writes the script for a shell. The name of the first command may be left out on a command line.
 * 0, or -EINVAL with err filled: no such shell.
 */
int completion__print(FILE *out, const char *shell, const struct completion_command *commands,
		      size_t nr_commands, struct error *err);

/*
 * Prints the candidates of a kind (a name in struct hint), one a line: a name, and after a tab a
 * description, if there is one. 0 or negative errno with err filled: -EINVAL: no such kind.
 */
int completion__print_candidates(FILE *out, const char *kind, struct error *err);

/* Returns "bash", "zsh", "fish"; NULL after the last. */
const char *completion__shell(size_t index);

#endif
