/* SPDX-License-Identifier: GPL-2.0-only */
/* Options of all commands that show a recording as report does, from any source. */
#ifndef TOPSTACKS_COMMANDS_REPORT_ROWS_H
#define TOPSTACKS_COMMANDS_REPORT_ROWS_H

#include "actions/report.h"
#include "commands/common_rows.h"

struct report_options {
	struct report report;
	bool per_process, threads;
};

static inline void report_options__finish(struct report_options *options)
{
	options->report.merge = options->threads       ? MERGE_BY_THREAD
				: options->per_process ? MERGE_BY_PROCESS
						       : MERGE_BY_COMM;
	options->report.lines.lines |= options->report.annotate.function != NULL;
}

/* Rows for a command that has in its struct a struct report_options called field. */
/* clang-format off */
#define REPORT_SHOW_ROWS(type, field)                                                              \
	{OPT_SECTION("What to show")},                                                             \
	{0, "by",                                                                                  \
	 "stack|function|symbol|module|comm|process|thread|line|cgroup|container|wait|state|time", \
	 OPT_CHOICE(type, field.report.by), "stack", "what each row of the table stands for"},     \
	{0, "tree", "no|callees|callers", OPT_CHOICE(type, field.report.tree), "no",               \
	 "show a tree: callees: from the root down; callers: from the leaf up to its callers"},    \
	{0, "annotate", "FUNCTION", OPT_STRING(type, field.report.annotate.function), NULL,        \
	 "show one function, line by line and instruction by instruction; MODULE:FUNCTION if "     \
	 "several have this name"},                                                                \
	{0, "source", "DIR", OPT_STRING_OF(type, field.report.annotate.source, HINT_DIRECTORY),    \
	 NULL, "with --annotate: where the source is, if not where it was compiled"},              \
	{0, "whole", NULL, OPT_FLAG(type, field.report.annotate.whole), NULL,                      \
	 "with --annotate: show the whole function, not only the lines near samples"},             \
	{0, "sort", "self|total|name", OPT_CHOICE(type, field.report.sort), "self",                \
	 "order of the rows, except with --by stack"},                                             \
	{'n', "rows", "N", OPT_UNSIGNED(type, field.report.nr_rows, 1, 1000000000), "20",          \
	 "show at most N rows"},                                                                   \
	{0, "percent-limit", "PERCENT",                                                            \
	 OPT_NUMBER(type, field.report.percent_limit, 0, 100), "0.5",                              \
	 "leave out rows below this percentage"},                                                  \
	ERRORS_ROW(type, field.report.errors),                                                     \
	{0, "per-process", NULL, OPT_FLAG(type, field.per_process), NULL,                          \
	 "a row for each process, not for each program name"},                                     \
	{0, "threads", NULL, OPT_FLAG(type, field.threads), NULL,                                  \
	 "a row for each thread, if the file tells threads apart"},                                \
	ALL_WAITS_ROW(type, field.report.all_waits),                                               \
	{0, "lines", NULL, OPT_FLAG(type, field.report.lines.lines), NULL,                         \
	 "show source lines and inlined functions; take lines that the files lack from the "       \
	 "binaries, if these are still here"},                                                     \
	NO_INLINE_ROW(type, field.report.lines),                                                   \
	SYMFS_ROW(type, field.report.naming.symfs),                                                \
	DEBUGINFOD_ROW(type, field.report.naming.debuginfod)

#define REPORT_STACK_ROWS(type, field)                                                             \
	{0, "focus", "REGEX", OPT_STRING(type, field.report.choice.focus), NULL,                   \
	 "only stacks with a function or module that matches"},                                    \
	{0, "ignore", "REGEX", OPT_STRING(type, field.report.choice.ignore), NULL,                 \
	 "leave out stacks with a function or module that matches"},                               \
	DROP_ROW(type, field.report.drop),                                                         \
	{0, "join-names", NULL, OPT_FLAG(type, field.report.join_names), NULL,                     \
	 "count functions as one whose names differ only in a suffix of a compiler or JIT: "       \
	 "f.isra.0, f.avx2, Foo$$Lambda$14"}

#define REPORT_SAMPLE_ROWS(type, field)                                                            \
	{0, "tid", "TID", OPT_ID_OF(type, field.report.choice.tid, HINT_TID), NULL,                \
	 "only this thread, if the file tells threads apart"},                                     \
	WAIT_ROWS(type, field.report.choice.wait, field.report.choice.state),                      \
	{0, "time", "FROM-TO", OPT_STRING(type, field.report.choice.time), NULL,                   \
	 "only these seconds from the start, for files with --slices or --intervals: 10-20, 10- "  \
	 "or -20"},                                                                                \
	{0, "from", "TIME", OPT_SECONDS(type, field.report.choice.from_s, 0, 1e8), NULL,           \
	 "only samples from this time on, for files with --slices or --intervals: 2s, 500ms"},     \
	{0, "to", "TIME", OPT_SECONDS(type, field.report.choice.to_s, 0.001, 1e8), NULL,           \
	 "only samples before this time: 3.5s"},                                                   \
	{0, "sample-type", "NAME", OPT_STRING(type, field.report.sample_type), NULL,               \
	 "which values to show, such as cpu or inuse_space; otherwise the file's default, or "     \
	 "counts"}

#define REPORT_OUTPUT_ROWS(type, field)                                                            \
	{0, "title", "TEXT", OPT_STRING(type, field.report.title), NULL,                           \
	 "title of a flame graph"},                                                                \
	{0, "width", "COLUMNS", OPT_UNSIGNED(type, field.report.width, 40, 100000), NULL,          \
	 "shorten names and chains so that lines of text fit in COLUMNS; otherwise in those of the " \
	 "terminal; in a pipe only names of more than 160 columns are shortened"},                 \
	COLOR_ROW(type, field.report.color),                                                       \
	QUALITY_ROW(type, field.report.required_quality),                                          \
	FILE_MEMORY_ROW(type, field.report.max_memory_bytes)
/* clang-format on */

#endif
