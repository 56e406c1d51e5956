/* SPDX-License-Identifier: GPL-2.0-only */
/* The help text, from the rows that also parse. */
#ifndef TOPSTACKS_BASE_OPTION_HELP_H
#define TOPSTACKS_BASE_OPTION_HELP_H

#include <stdio.h>

#include "base/option_rows.h"

/* The rows and the two common ones, as --help shows them. */
void options__print_help(FILE *out, const struct option_row *rows);

/* The words of text in lines of at most 80 columns; all lines but the first are indented. */
void options__print_wrapped(FILE *out, const char *text, size_t indent);

#endif
