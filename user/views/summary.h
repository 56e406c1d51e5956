/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is told of an interval beside its samples: its circumstances, its ledger, what it lacks. The
 * text view shows every row of it on a line; the live view puts the brief ones on two lines, and
 * below them as many of the other rows as it has room for. What either of them tells is decided here.
 */
#ifndef TOPSTACKS_VIEWS_SUMMARY_H
#define TOPSTACKS_VIEWS_SUMMARY_H

#include "profile/recording.h"
#include "views/phrases.h"

#define MOST_SUMMARY_ROWS  48
#define SUMMARY_TEXT_BYTES 1024

/* A line of its own. */
struct summary_row {
	const char *label; /* "ledger"; "": it goes on with the row above */
	const char *about; /* "coverage ": to be put before it where there are no labels, or "" */
	enum style label_style, style;
	enum importance importance;
	bool is_brief; /* its facts are among the brief ones too */
	char text[SUMMARY_TEXT_BYTES];
};

struct summary {
	struct summary_row rows[MOST_SUMMARY_ROWS];
	size_t nr_rows;
};

/* All that there is to tell but the title. values: what is shown, in a sentence; NULL: as always. */
void summary__init(struct summary *summary, const struct recording *recording, const char *values);

/* Leaves the rows that are not brief and matter at least so much; of them the most important. */
void summary__cut(struct summary *summary, enum importance least, size_t most);

/* What we took of a CPU, in percent. */
double summary__cpu_percent(const struct recording *interval);

/* "cpu-clock  98.9 Hz (asked 99) on 2 CPUs" */
void summary__brief_rate(struct phrases *phrases, const struct recording *interval);

/*
 * "100 samples, 0 lost, 97.4 % whole, 99.8 % covered; cost 0.10 % CPU, 12.3 MB". unit: of the weights, 1 unless
 * they are scaled.
 */
void summary__brief_samples(struct phrases *phrases, const struct recording *interval, double unit);

/* What to say instead of stacks when nothing was sampled, in full sentences. */
void summary__explain_silence(const struct recording *interval, char *text, size_t size);

#endif
