/* SPDX-License-Identifier: GPL-2.0-only */
/* Foreign words within our own sentences: what somebody typed, a file's name, a process's comm. */
#ifndef TOPSTACKS_BASE_QUOTE_H
#define TOPSTACKS_BASE_QUOTE_H

struct quoted {
	char text[256];
};

/*
 * The string in double quotes, safe on a terminal and cut to 50 columns. Returns quoted->text, so
 * that it can stand among the arguments of error__say().
 */
const char *quote(struct quoted *quoted, const char *string);

/* The same without the quotes, for a noun of a file's: "12 widgets". */
const char *quote__noun(struct quoted *quoted, const char *noun);

#endif
