/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The facts about an interval, other than its samples: circumstances, ledger, quality. The text
 * view shows every row on a line. The live view puts the brief ones on two lines, and below them as
 * many of the other rows as it has room for. This file decides the content of both.
 */
#ifndef TOPSTACKS_VIEWS_SUMMARY_H
#define TOPSTACKS_VIEWS_SUMMARY_H

#include "profile/recording.h"
#include "views/phrases.h"

#define MOST_SUMMARY_ROWS  48
#define SUMMARY_TEXT_BYTES 1024

/* A row of the summary. */
struct summary_row {
	const char *label; /* "ledger"; "": continues the row above */
	const char *about; /* prefix where labels are not shown, "coverage "; or "" */
	enum style label_style, style;
	enum importance importance;
	bool is_brief; /* the brief lines have its facts, too */
	char text[SUMMARY_TEXT_BYTES];
};

struct summary {
	struct summary_row rows[MOST_SUMMARY_ROWS];
	size_t nr_rows;
};

/* Makes all rows, without the title. values: a sentence on the shown values; NULL: none. */
void summary__init(struct summary *summary, const struct recording *recording, const char *values);

/*
 * Keeps the rows that are not brief and are at least this important; at most so many, the most
 * important ones.
 */
void summary__cut(struct summary *summary, enum importance least, size_t most);

/* The CPU time of topstacks in percent of one CPU. */
double summary__cpu_percent(const struct recording *interval);

/* "cpu-clock  98.9 Hz (asked 99) on 2 CPUs" */
void summary__brief_rate(struct phrases *phrases, const struct recording *interval);

/*
 * "100 samples, 0 lost, 97.4 % whole, 99.8 % covered; cost 0.10 % CPU, 12.3 MB". unit: divides the
 * weights, 1 unless they are scaled.
 */
void summary__brief_samples(struct phrases *phrases, const struct recording *interval, double unit);

/* Explains in full sentences why there are no samples. */
void summary__explain_silence(const struct recording *interval, char *text, size_t size);

#endif
