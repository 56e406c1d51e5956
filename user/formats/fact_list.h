/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a flame graph says about its profile, beside the stacks: where it comes from, when and how
 * it was sampled, and the ledger. Points into itself and into the recording.
 */
#ifndef TOPSTACKS_FORMATS_FACT_LIST_H
#define TOPSTACKS_FORMATS_FACT_LIST_H

#include "flame/flame.h"
#include "profile/recording.h"

struct fact_list {
	struct flame_fact facts[FACTS + 4];
	size_t nr_facts;
	char start[64], duration[32], rate[64], ledger[400];
};

/* Only what is known. */
void fact_list__fill(struct fact_list *list, const struct recording *recording);

#endif
