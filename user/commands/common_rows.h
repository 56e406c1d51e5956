/* SPDX-License-Identifier: GPL-2.0-only */
/* Rows of options that several commands have. */
#ifndef TOPSTACKS_COMMANDS_COMMON_ROWS_H
#define TOPSTACKS_COMMANDS_COMMON_ROWS_H

#include "base/options/options.h"

/* Rows for a command that has in its struct a struct line_options called field. */
/* clang-format off */
#define DROP_ROW(type, field)                                                                       \
	{0, "drop", "REGEX", OPT_PATTERN(type, field), NULL,                                        \
	 "leave out the frames of matching functions, such as event loops; may be repeated"}

#define LINE_ROWS(type, field)                                                                      \
	{0, "lines", NULL, OPT_FLAG(type, field.lines), NULL,                                       \
	 "show source lines and inlined functions, and wait up to 20 s for them at the end; "       \
	 "without it, a file has the lines that are found within 1 s"},                             \
	{0, "no-lines", NULL, OPT_FLAG(type, field.no_lines), NULL,                                 \
	 "write neither source lines nor inlined functions to the file"},                           \
	NO_INLINE_ROW(type, field)

#define NO_INLINE_ROW(type, field)                                                                  \
	{0, "no-inline", NULL, OPT_FLAG(type, field.no_inline), NULL,                               \
	 "show only the functions as compiled, not the functions inlined into them"}

/* For a command that has in its struct two const char *, for wait_choice__parse(). */
#define WAIT_ROWS(type, wait, state)                                                                \
	{0, "wait", "KIND[,KIND...]", OPT_STRING_OF(type, wait, HINT_WAIT), NULL,                   \
	 "only waits of these kinds: lock, disk, net, poll, sleep, pipe, child, fault or other; ! " \
	 "before a kind excludes it: '!poll,!sleep'"},                                              \
	{0, "state", "STATE[,STATE...]", OPT_STRING_OF(type, state, HINT_STATE), NULL,              \
	 "only threads in these states: blocked, preempted, throttled, woken, stopped, running; ! too"}

/* For a command that has in its struct a bool called field. */
#define ALL_WAITS_ROW(type, field)                                                                  \
	{0, "all-waits", NULL, OPT_FLAG(type, field), NULL,                                         \
	 "show each stack that only waits for work in a row of its own, not all in one line"}

/* For a command that has in its struct a double called field. */
#define QUALITY_ROW(type, field)                                                                    \
	{0, "require-quality", "PCT", OPT_NUMBER(type, field, 0, 100), NULL,                        \
	 "exit 1 if a smaller part of the frames has names, or of the stacks is complete"}

/* For a command that reads files, that has in its struct a uint64_t called field. */
#define FILE_MEMORY_ROW(type, field)                                                                \
	{0, "max-memory", "SIZE", OPT_SIZE(type, field, 16 << 20, 1LL << 40), "4G",                 \
	 "most memory for the files and for the data read from them"}

/* The exit codes of a command that samples. */
#define EXIT_CODES_OF_RUNS                                                                          \
	"0  done; with -- COMMAND: its own exit code\n"                                             \
	"1  names or stacks are worse than --require-quality demands\n"                             \
	"2  wrong usage, or no such process\n"                                                      \
	"3  a capability or a kernel feature is missing\n"                                          \
	"4  an internal or I/O error, such as a write to a full disk\n"                             \
	"125  with -- COMMAND: instead of 1 to 4"

/* The exit codes of a command that reads files; it puts the meaning of 0 and 1 before. */
#define EXIT_CODES_OF_FILES                                                                         \
	"2  wrong usage, or a file that cannot be used\n"                                           \
	"4  an internal or I/O error, such as a write to a full disk"

/* For a command that shows files, that has in its struct a const char * called field. */
#define SYMFS_ROW(type, field)                                                                      \
	{0, "symfs", "DIR", OPT_STRING_OF(type, field, HINT_DIRECTORY), NULL,                       \
	 "also look for missing names below DIR: in programs, and in debug files by build ID"}

/* For a command like that of SYMFS_ROW. */
#define DEBUGINFOD_ROW(type, field)                                                                 \
	{0, "debuginfod", "URL", OPT_OPTIONAL(type, field), NULL,                                   \
	 "fetch missing debug files, for the hottest programs first, from this server, or from the " \
	 "servers that the system is configured to use: 60 s and 2 GB at most"}

/* For a command that has in its struct an enum errors called field. */
#define ERRORS_ROW(type, field)                                                                     \
	{0, "errors", "auto|always|never", OPT_CHOICE(type, field), "auto",                         \
	 "show the error of each percentage of samples, and brackets around rows whose difference " \
	 "is within the error; auto: where lines have room"}

/* For a command that has in its struct an enum color called field. */
#define COLOR_ROW(type, field)                                                                      \
	{0, "color", "auto|always|never", OPT_CHOICE(type, field), "auto",                          \
	 "colour the text; auto: on a terminal, unless NO_COLOR is set"}
/* clang-format on */

#endif
