/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Text for people who have no UTF-8, as their environment says: all of it ASCII, in as many columns. Each of our own
 * signs has one of its own; other characters, which are of names, are written as their number: \u{e9}.
 */
#ifndef TOPSTACKS_BASE_PLAIN_H
#define TOPSTACKS_BASE_PLAIN_H

#include <stdbool.h>
#include <stdio.h>

/* An environment that says nothing, or a language that is not installed, most probably is of UTF-8. */
bool plain__is_wanted(void);

/* The ASCII text for a character of ours, terminated. NULL: the character is none of ours. */
const char *plain__sign(const char *character);

/* A stream that writes to out what it gets, in ASCII if that is wanted; else out itself. NULL: no memory. */
FILE *plain__begin(FILE *out);

/* Ends what begin gave, and leaves out open. 0 or negative errno. */
int plain__end(FILE *stream, FILE *out);

#endif
