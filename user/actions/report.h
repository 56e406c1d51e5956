/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A report: files of ours or of others, read and added up, completed with source lines, filtered,
 * and written as text or in another format.
 */
#ifndef TOPSTACKS_ACTIONS_REPORT_H
#define TOPSTACKS_ACTIONS_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "actions/annotate.h"
#include "actions/printer.h"
#include "actions/rename.h"
#include "actions/source_lines.h"
#include "base/error.h"
#include "profile/recording.h"
#include "profile/select/choice.h"

/* What the rows of the table are. */
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
		*bytes; /* what a file of nobody but the caller would hold, instead; NULL: paths */
	size_t nr_bytes;
	enum report_by by;
	enum report_tree tree;
	enum sort sort;
	enum color color;
	enum merge merge;
	struct line_options lines;
	struct annotate_options annotate;
	struct choice choice;
	char *drop;	 /* frames of such functions are left out; NULL: none */
	bool join_names; /* that differ only in what compilers and JITs number */
	double percent_limit;
	enum errors errors;
	bool all_waits; /* those of threads without work are no line of their own */
	unsigned int nr_rows;
	unsigned int width; /* of lines, in columns; 0: the terminal's, if there is one */
	struct symbol_places naming;
	const char *sample_type; /* NULL: as the files say */
	const char *format;	 /* "text", "markdown", or one of formats/ */
	unsigned int budget;	 /* of Markdown, in bytes */
	const char *output;	 /* NULL: standard output */
	const char *title;
	double required_quality;
	uint64_t max_memory_bytes; /* of what is read */
};

/* 0, or negative errno with err filled. */
int report__write(const struct report *report, struct error *err);

/* One function instead of a table, as text. */
int report__write_annotation(FILE *out, const struct report *report,
			     const struct recording *recording,
			     const struct annotated_text *annotated, uint64_t whole);

#define REPORT_MARKDOWN "markdown"

/*
 * Options that choose the same samples, each with a blank before it, for a command that is told: --focus, or
 * all but that and --wait. The caller's to free(); NULL: out of memory.
 */
char *report__selection(const struct report *report, bool focus);

/* As text. whole: what is shown, before anything was filtered out. */
int report__write_text(FILE *out, const struct report *report, const struct recording *recording,
		       uint64_t whole);

#endif
