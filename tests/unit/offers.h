/* SPDX-License-Identifier: GPL-2.0-only */
/* The test's own process offers debug files to a search. */
#ifndef TOPSTACKS_TESTS_OFFERS_H
#define TOPSTACKS_TESTS_OFFERS_H

#include <string.h>

#include "elf/debug_files.h"
#include "readers/jobs.h"
#include "symbols/debug/debug_places.h"

static inline int offer_place(void *context, enum debug_question question, const char *name,
			      unsigned int index)
{
	struct reader_question asked = {.kind = question, .index = index};

	strncpy(asked.name, name, sizeof(asked.name) - 1);
	return debug_places__open(context, &asked);
}

static inline struct debug_candidates offers_of(struct debug_places *places)
{
	return (struct debug_candidates){offer_place, places};
}

#endif
