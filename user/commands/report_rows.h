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
	 OPT_CHOICE(type, field.report.by), "stack", "what the rows of the table are"},            \
	{0, "tree", "no|callees|callers", OPT_CHOICE(type, field.report.tree), "no",               \
	 "a tree instead: from the root to what is called, or from the leaf to its callers"},      \
	{0, "annotate", "FUNCTION", OPT_STRING(type, field.report.annotate.function), NULL,         \
	 "one function instead, line by line and instruction by instruction; MODULE:FUNCTION if "   \
	 "several are called so"},                                                                 \
	{0, "source", "DIR", OPT_STRING_OF(type, field.report.annotate.source, HINT_DIRECTORY),     \
	 NULL, "with --annotate: where the source is, if not where it was built"},                 \
	{0, "whole", NULL, OPT_FLAG(type, field.report.annotate.whole), NULL,                       \
	 "with --annotate: all of the function, not only what is near samples"},                   \
	{0, "sort", "self|total|name", OPT_CHOICE(type, field.report.sort), "self",                \
	 "order of the table, except by stack"},                                                   \
	{'n', "rows", "N", OPT_UNSIGNED(type, field.report.nr_rows, 1, 1000000000), "20",          \
	 "at most so many rows"},                                                                  \
	{0, "percent-limit", "PERCENT",                                                            \
	 OPT_NUMBER(type, field.report.percent_limit, 0, 100), "0.5",                              \
	 "leave out rows with less"},                                                              \
	ERRORS_ROW(type, field.report.errors),                                                     \
	{0, "per-process", NULL, OPT_FLAG(type, field.per_process), NULL,                          \
	 "tell processes apart, not only program names"},                                          \
	{0, "threads", NULL, OPT_FLAG(type, field.threads), NULL,                                  \
	 "tell threads apart, where they were recorded"},                                          \
	ALL_WAITS_ROW(type, field.report.all_waits),                                               \
	{0, "lines", NULL, OPT_FLAG(type, field.report.lines.lines), NULL,                         \
	 "with source lines; those that the files lack are looked for in the binaries, if these "  \
	 "are still here, with inlined functions"},                                                \
	NO_INLINE_ROW(type, field.report.lines),                                                   \
	SYMFS_ROW(type, field.report.naming.symfs),                                                \
	DEBUGINFOD_ROW(type, field.report.naming.debuginfod)

#define REPORT_STACK_ROWS(type, field)                                                             \
	{0, "focus", "REGEX", OPT_STRING(type, field.report.choice.focus), NULL,                   \
	 "only stacks with a function or module that matches"},                                    \
	{0, "ignore", "REGEX", OPT_STRING(type, field.report.choice.ignore), NULL,                 \
	 "without stacks that have such a function or module"},                                    \
	DROP_ROW(type, field.report.drop),                                                         \
	{0, "join-names", NULL, OPT_FLAG(type, field.report.join_names), NULL,                     \
	 "count as one what compilers and JITs number: f.isra.0, f.avx2, Foo$$Lambda$14"}

#define REPORT_SAMPLE_ROWS(type, field)                                                            \
	{0, "tid", "TID", OPT_ID_OF(type, field.report.choice.tid, HINT_TID), NULL,                \
	 "only this thread, where threads were recorded"},                                         \
	WAIT_ROWS(type, field.report.choice.wait, field.report.choice.state),                      \
	{0, "time", "FROM-TO", OPT_STRING(type, field.report.choice.time), NULL,                   \
	 "only these seconds from the start, of a file with --intervals: 10-20, 10- or -20"},      \
	{0, "from", "TIME", OPT_SECONDS(type, field.report.choice.from_s, 0, 1e8), NULL,           \
	 "only what was sampled from then on, of a file with --slices or --intervals: 2s, 500ms"}, \
	{0, "to", "TIME", OPT_SECONDS(type, field.report.choice.to_s, 0.001, 1e8), NULL,           \
	 "only what was sampled before then: 3.5s"},                                               \
	{0, "sample-type", "NAME", OPT_STRING(type, field.report.sample_type), NULL,               \
	 "which values to show, such as cpu or inuse_space; otherwise what the file prefers, or "  \
	 "counts"}

#define REPORT_OUTPUT_ROWS(type, field)                                                            \
	{0, "title", "TEXT", OPT_STRING(type, field.report.title), NULL,                           \
	 "of a flame graph"},                                                                      \
	{0, "width", "COLUMNS", OPT_UNSIGNED(type, field.report.width, 40, 100000), NULL,          \
	 "shorten names and chains in text so that lines fit in so many columns; otherwise in the " \
	 "terminal's; in a pipe only names, of more than 160 columns"},                            \
	COLOR_ROW(type, field.report.color),                                                       \
	QUALITY_ROW(type, field.report.required_quality),                                          \
	FILE_MEMORY_ROW(type, field.report.max_memory_bytes)
/* clang-format on */

#endif
