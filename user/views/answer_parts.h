/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts of an answer, made of lines; each line is complete Markdown. */
#ifndef TOPSTACKS_VIEWS_ANSWER_PARTS_H
#define TOPSTACKS_VIEWS_ANSWER_PARTS_H

#include "base/common.h"
#include "profile/certainty.h"
#include "profile/recording.h"
#include "profile/tree.h"
#include "views/answer_options.h"

struct answer_data {
	const struct recording *recording;
	const struct answer_options *options;
	const struct profile *profile; /* without waits for work */
	struct profile *idle;	       /* waits for work; NULL: none */
	uint64_t nr_samples;	       /* in profile */
	struct certainty certainty;    /* of shares of the whole */
	struct group_row *groups;      /* functions, the hottest first */
	size_t nr_groups;
	struct tree *from_leaf, *from_root;
};

/* Prints "### Quality: good: 2,153 samples, none lost, 99.6 % of stacks whole" and a newline. */
void answer__print_quality(FILE *out, const struct answer_data *answer);
/* Prints the target, the duration, the event and the rate. */
void answer__print_facts(FILE *out, const struct answer_data *answer);

/*
 * Print the kinds of waits, if there are any; the branches nearest to the root; and a row for each
 * function.
 */
void answer__print_waits(FILE *out, const struct answer_data *answer);
void answer__print_branches(FILE *out, const struct answer_data *answer);
void answer__print_functions(FILE *out, const struct answer_data *answer);

/* Prints advice on what to do next, an item each, as far as the data support it. */
void answer__print_advice(FILE *out, const struct answer_data *answer);

/* True if the function has several callers, none of which makes nearly all of it. */
bool answer__has_callers(const struct answer_data *answer, const struct group_row *group);

/* The error of a share in percentage points; only if the certainty has bounds. */
double answer__half_percent(const struct answer_data *answer, struct portion part);

#endif
