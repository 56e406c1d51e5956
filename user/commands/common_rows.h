/* SPDX-License-Identifier: GPL-2.0-only */
/* Rows of options that several commands have. */
#ifndef TOPSTACKS_COMMANDS_COMMON_ROWS_H
#define TOPSTACKS_COMMANDS_COMMON_ROWS_H

#include "base/options.h"

/* Rows for a command whose struct has a struct line_options called field. */
/* clang-format off */
#define LINE_ROWS(type, field)                                                                      \
	{0, "lines", NULL, OPT_FLAG(type, field.lines), NULL,                                       \
	 "source lines and inlined functions, however long it takes to find them; what is saved "   \
	 "has those that are found soon anyway"},                                                   \
	{0, "no-lines", NULL, OPT_FLAG(type, field.no_lines), NULL,                                 \
	 "no source lines and inlined functions in what is saved"},                                 \
	NO_INLINE_ROW(type, field)

#define NO_INLINE_ROW(type, field)                                                                  \
	{0, "no-inline", NULL, OPT_FLAG(type, field.no_inline), NULL,                               \
	 "functions as they were compiled, without those inlined into them"}

/* For a command whose struct has a double called field. */
#define QUALITY_ROW(type, field)                                                                    \
	{0, "require-quality", "PCT", OPT_NUMBER(type, field, 0, 100), NULL,                        \
	 "exit 1 if fewer of the frames are named, or fewer of the stacks reach their root"}

/* For a command that reads files, whose struct has a uint64_t called field. */
#define FILE_MEMORY_ROW(type, field)                                                                \
	{0, "max-memory", "SIZE", OPT_SIZE(type, field, 16 << 20, 1LL << 40), "4G",                 \
	 "most memory for the files and what is made of them"}

/* For a command whose struct has an enum color called field. */
#define COLOR_ROW(type, field)                                                                      \
	{0, "color", "auto|always|never", OPT_CHOICE(type, field), "auto",                          \
	 "colour the text; auto: on a terminal, unless NO_COLOR is set"}
/* clang-format on */

#endif
