/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Scripts with which shells complete command lines, made from the rows that also parse; and what
 * such a script asks the program for when somebody presses TAB.
 *
 * Names of processes, users, cgroups and events are their owners' to choose, and a shell is quick to
 * run what it reads. So whatever leaves here consists of letters, digits and a few marks that mean
 * nothing to any shell.
 */
#ifndef TOPSTACKS_COMPLETION_COMPLETION_H
#define TOPSTACKS_COMPLETION_COMPLETION_H

#include <stdio.h>

#include "base/error.h"
#include "base/options/options.h"

/* What shells are to know of a command; as in struct subcommand. */
struct completion_command {
	const char *name, *summary;
	const struct option_row *rows;
	enum operands operands;
	const char *actions;
	enum option_hint hint;
};

/*
 * Writes the script for a shell. The first of the commands may be left out on a command line. 0, or
 * -EINVAL with err filled: no such shell.
 */
int completion__print(FILE *out, const char *shell, const struct completion_command *commands,
		      size_t nr_commands, struct error *err);

/*
 * Writes what there is of a kind, as struct hint calls it, a line each: a name, and after a tab what
 * it is, if there is more to say. 0 or negative errno with err filled: -EINVAL, no such kind.
 */
int completion__print_candidates(FILE *out, const char *kind, struct error *err);

/* "bash", "zsh", "fish"; NULL beyond the last. */
const char *completion__shell(size_t index);

#endif
