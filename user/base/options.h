/* SPDX-License-Identifier: GPL-2.0-only */
/* Command line options: one table of rows gives both the parser and the --help text. */
#ifndef TOPSTACKS_BASE_OPTIONS_H
#define TOPSTACKS_BASE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/option_rows.h"

/* What a command takes beside options. */
enum operands {
	OPERANDS_NONE,	  /* any other word is an error */
	OPERANDS_COMMAND, /* a program and its arguments, after "--" only */
	OPERANDS_WORDS,	  /* any number of words, before, between and after options */
};

struct options {
	const struct option_row *rows;
	enum operands operands;
	void *values; /* the command's struct, zeroed */

	/* What options__parse found. */
	bool help, version; /* the rest of the words was not looked at */
	char **words;	    /* operands, ended by NULL; in argv */
	size_t nr_words;
};

/*
 * Sets defaults, then takes the words of argv (without the program's name, ended by NULL) in any
 * order up to "--"; of an option given twice the last value counts, lists add up. Operands end up
 * at the front of argv. Returns 0, or a negative errno with err filled (EXIT_USAGE).
 */
int options__parse(struct options *options, char **argv, struct error *err);

/* Frees the lists in values. To be called whatever options__parse returned. */
void options__fini(struct options *options);

/* -h and --version, which every command has; their fields are in struct options. */
extern const struct option_row common_option_rows[];

#endif
