/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Completion scripts for shells, and what such a script asks the program for when the user presses
 * TAB: its options, from the rows that also parse them, and candidates for their values.
 *
 * Names of processes, users, cgroups and events are chosen by their owners, and a shell may execute
 * what it reads. So candidates have only letters, digits and a few characters without a meaning to
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

/* Prints the script for a shell. 0, or -EINVAL with err filled: no such shell. */
int completion__print_script(FILE *out, const char *shell, struct error *err);

/*
 * Prints the candidates of a kind (a name in struct hint), one a line: a name, and after a tab a
 * description, if there is one. 0 or negative errno with err filled: -EINVAL: no such kind.
 *
 * The kind "options" is the table of all commands' options, with tabs between the fields:
 *
 *	top	-p --pid	asked	list	pids	PID[,PID...]	these processes
 *
 * The fields are a command; forms of an option, or "." for the command itself, "1" for its first
 * operand, "*" for others, "--" if it runs a program; the source of values: none, unknown, words,
 * asked, files or directories; list or one; the words, the kind to ask for, or endings of files;
 * the metavar; the help. The name of the first command may be left out on a command line.
 */
int completion__print_candidates(FILE *out, const char *kind,
				 const struct completion_command *commands, size_t nr_commands,
				 struct error *err);

/*
 * Prints a line: a name, and after a tab its meaning (NULL: none). Skips a name with other
 * characters than [A-Za-z0-9._-] and marks, as a changed name would be wrong. In the meaning, other
 * characters become underscores.
 */
void candidate__print(FILE *out, const char *name, const char *marks, const char *meaning,
		      const char *meaning_marks);

/* ---- running.c ---- */

int processes__tell(FILE *out, struct error *err);
int threads__tell(FILE *out, struct error *err);
int comms__tell(FILE *out, struct error *err);

#endif
