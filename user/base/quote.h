/* SPDX-License-Identifier: GPL-2.0-only */
/* Quotes untrusted words in our own messages: typed words, names of files, comms of processes. */
#ifndef TOPSTACKS_BASE_QUOTE_H
#define TOPSTACKS_BASE_QUOTE_H

struct quoted {
	char text[256];
};

/*
 * Quotes the string in double quotes, safe for a terminal and cut to 50 columns. Returns
 * quoted->text, so it can be an argument of error__say().
 */
const char *quote(struct quoted *quoted, const char *string);

/* The same without quotes, for a noun from a file: "12 widgets". */
const char *quote__noun(struct quoted *quoted, const char *noun);

#endif
