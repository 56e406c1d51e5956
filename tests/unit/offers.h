/* SPDX-License-Identifier: GPL-2.0-only */
/* Debug files, for who searches for them in the test's own process. */
#ifndef TOPSTACKS_TESTS_OFFERS_H
#define TOPSTACKS_TESTS_OFFERS_H

#include <errno.h>

#include "readers/offers.h"
#include "symbols/debug_places.h"

static inline int offer_place(void *context, enum debug_question question, const char *name,
			      unsigned int index)
{
	struct reader_question asked;

	return offers__question(&asked, question, name, index) ? debug_places__open(context, &asked)
							       : -ENOENT;
}

static inline struct debug_offers offers_of(struct debug_places *places)
{
	return (struct debug_offers){offer_place, places};
}

#endif
