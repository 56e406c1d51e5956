/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Long names lose their middle, at the same place in all views. Both ends carry information, the
 * last one more.
 *
 *	process<std::tuple<std::map<std::__cxx11::basic_string…t, Tag<9> > > > > > const*)
 */
#ifndef TOPSTACKS_BASE_MIDDLE_H
#define TOPSTACKS_BASE_MIDDLE_H

#include "base/common.h"

/* Most columns of a name where nothing else limits it: in a pipe, in Markdown, on a page. */
#define MIDDLE_MOST 160

/*
 * Returns text itself if it has at most `most` columns, as text__print_safe() writes it, or most is
 * 0. Otherwise returns shortened, filled with the first part, "…" and the last part, in that many
 * columns, up to MIDDLE_WIDEST. Takes linear time.
 */
#define MIDDLE_WIDEST 512
#define MIDDLE_SIZE   (4 * MIDDLE_WIDEST + 4)
const char *middle__shorten(const char *text, size_t most, char shortened[MIDDLE_SIZE]);

/*
 * The same of a function, which loses what it returns before its middle: that comes first, and may
 * be longer than all that tells which function it is.
 */
const char *middle__shorten_function(const char *name, size_t most, char shortened[MIDDLE_SIZE]);

/* Writes that as text__print_safe() does. */
size_t middle__print(FILE *out, const char *name, size_t most);

#endif
