// SPDX-License-Identifier: GPL-2.0-only
/* The facts about where a profile comes from, by name. */
#include <string.h>

#include "profile/snapshot.h"

const char *fact__name(enum fact fact)
{
	static const char *const names[FACTS] = {
		[FACT_EVENT] = "event",	    [FACT_UNWINDING] = "unwinding",
		[FACT_TARGET] = "target",   [FACT_HOST] = "host",
		[FACT_KERNEL] = "kernel",   [FACT_CPU] = "cpu",
		[FACT_VERSION] = "version",
	};

	return names[fact];
}

const char *provenance__common(const struct provenance *a, const struct provenance *b,
			       enum fact fact)
{
	const char *left = a->facts[fact], *right = b->facts[fact];

	return left && right && !strcmp(left, right) ? left : NULL;
}
