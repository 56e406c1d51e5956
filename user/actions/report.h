/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A report: reads files of ours or of other tools, adds them up, completes them with source lines,
 * filters them, and writes text or another format.
 */
#ifndef TOPSTACKS_ACTIONS_REPORT_H
#define TOPSTACKS_ACTIONS_REPORT_H

#include "actions/annotate.h"
#include "actions/printer.h"
#include "actions/rename.h"
#include "actions/source_lines.h"
#include "base/common.h"
#include "profile/recording.h"
#include "profile/select/choice.h"

/* The rows of the table. */
enum report_by {
	BY_STACK,
	BY_FUNCTION,
	BY_SYMBOL,
	BY_MODULE,
	BY_COMM,
	BY_PROCESS,
	BY_THREAD,
	BY_LINE,
	BY_CGROUP,
	BY_CONTAINER,
	BY_WAIT,
	BY_STATE,
	BY_TIME,
};

enum report_tree {
	REPORT_TABLE, /* no tree */
	REPORT_CALLEES,
	REPORT_CALLERS,
};

struct report {
	char **paths; /* "-": standard input; ended by NULL */
	const char
		*bytes; /* contents of a private recording that is read instead of paths; or NULL */
	size_t nr_bytes;
	enum report_by by;
	enum report_tree tree;
	enum sort sort;
	enum color color;
	enum merge merge;
	struct line_options lines;
	struct annotate_options annotate;
	struct choice choice;
	char *drop;	 /* functions to drop from stacks, a pattern; NULL: none */
	bool join_names; /* merge names that differ only in numbers of compilers and JITs */
	double percent_limit;
	enum errors errors;
	bool all_waits; /* show waits of idle threads as rows, too */
	unsigned int nr_rows;
	unsigned int width; /* columns of a line; 0: the terminal's width, if any */
	struct symbol_places naming;
	const char *sample_type; /* NULL: the file's default */
	const char *format;	 /* "text", "markdown", or one of formats/ */
	unsigned int budget;	 /* limit of Markdown, in bytes */
	const char *output;	 /* NULL: standard output */
	const char *title;
	double required_quality;
	uint64_t max_memory_bytes; /* limit for the data read */
};

/* Writes the report. 0, or negative errno with err filled. */
int report__write(const struct report *report, struct error *err);

/* Writes one annotated function as text instead of a table. */
int report__write_annotation(FILE *out, const struct report *report,
			     const struct recording *recording,
			     const struct annotated_text *annotated, uint64_t whole);

#define REPORT_MARKDOWN "markdown"

/*
 * The options that choose the same samples, for a command line to suggest: --focus if focus, or
 * else all other choices but --wait. Each has a blank before it. free() it.
 */
char *report__selection(const struct report *report, bool focus);

/* Writes the report as text. whole: the total before any filter. */
int report__write_text(FILE *out, const struct report *report, const struct recording *recording,
		       uint64_t whole);

#endif
