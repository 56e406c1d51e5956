/* SPDX-License-Identifier: GPL-2.0-only */
/* What an answer is made of, in lines, each of which is whole Markdown. */
#ifndef TOPSTACKS_VIEWS_ANSWER_PARTS_H
#define TOPSTACKS_VIEWS_ANSWER_PARTS_H

#include <stdio.h>

#include "profile/certainty.h"
#include "profile/recording.h"
#include "profile/tree.h"
#include "views/answer_options.h"

struct answer_data {
	const struct recording *recording;
	const struct answer_options *options;
	const struct profile *profile; /* without waits for work */
	struct profile *idle;	       /* NULL: there are none */
	uint64_t nr_samples;	       /* that are shown */
	struct certainty certainty;    /* of shares of all */
	struct group_row *groups;      /* functions, the hottest first */
	size_t nr_groups;
	struct tree *from_leaf, *from_root;
};

/* "### Quality: good: 2,153 samples, none lost, 99.6 % of stacks whole", and its newline. */
void answer__print_quality(FILE *out, const struct answer_data *answer);
/* What it is of. */
void answer__print_facts(FILE *out, const struct answer_data *answer);

/* What threads waited for, if they did; where the program forks from the root on; a row each function. */
void answer__print_waits(FILE *out, const struct answer_data *answer);
void answer__print_branches(FILE *out, const struct answer_data *answer);
void answer__print_functions(FILE *out, const struct answer_data *answer);

/* What to do next, an item each; nothing that the data do not say. */
void answer__print_advice(FILE *out, const struct answer_data *answer);

/* A function is called by several, none of which has nearly all of it. */
bool answer__has_callers(const struct answer_data *answer, const struct group_row *group);

/* How sure a share is, in points of percent, if that is known. */
double answer__half_percent(const struct answer_data *answer, struct portion part);

#endif
