/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Long names lose their middle, at the same place in all views: both ends tell something, the last one more.
 *
 *	process<std::tuple<std::map<std::__cxx11::basic_string…t, Tag<9> > > > > > const*)
 */
#ifndef TOPSTACKS_BASE_MIDDLE_H
#define TOPSTACKS_BASE_MIDDLE_H

#include <stddef.h>
#include <stdio.h>

/* Columns that a name has at most where nothing else bounds it: in a pipe, in Markdown, on a page. */
#define MIDDLE_MOST 160

/*
 * The text itself where it has no more than most columns, as text__print_safe() writes it, or most is 0; else
 * in shortened its first part, "…" and its last part, in that many columns, up to MIDDLE_WIDEST. Takes time linear
 * in the text.
 */
#define MIDDLE_WIDEST 512
#define MIDDLE_SIZE   (4 * MIDDLE_WIDEST + 4)
const char *middle__shorten(const char *text, size_t most, char shortened[MIDDLE_SIZE]);

/*
 * The same of a function, which loses what it returns before its middle: that comes first, and may be longer than
 * all that tells which function it is.
 */
const char *middle__shorten_function(const char *name, size_t most, char shortened[MIDDLE_SIZE]);

/* Writes that as text__print_safe() does. */
size_t middle__print(FILE *out, const char *name, size_t most);

#endif
