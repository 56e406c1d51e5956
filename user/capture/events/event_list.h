/* SPDX-License-Identifier: GPL-2.0-only */
/* What can be sampled on this machine, by the names that -e takes, and what each of them means. */
#ifndef TOPSTACKS_CAPTURE_EVENTS_EVENT_LIST_H
#define TOPSTACKS_CAPTURE_EVENTS_EVENT_LIST_H

#include "base/error.h"

enum offer_group {
	OFFERS_CPU,
	OFFERS_WAITS,
	OFFERS_MEMORY,
	OFFERS_PRESETS,
	OFFERS_SOFTWARE,
	OFFERS_HARDWARE,
	OFFERS_PMU,
	OFFERS_PROBES,
	OFFERS_TRACEPOINTS,
	OFFER_GROUPS,
};

/* Strings are valid during the call, and hostile where files of the kernel's have them. */
struct offer_sink {
	void *context;
	void (*on_offer)(void *context, enum offer_group group, const char *name,
			 const char *meaning);
	/* Why there are none of a group, or none to be seen: one sentence, without a full stop. */
	void (*on_lack)(void *context, enum offer_group group, const char *why);
};

/*
 * Tells all that match a shell pattern, or have it in their name; NULL: all. A group's come together, by
 * name or by how common they are. 0 or negative errno.
 */
int offers__tell(const char *pattern, const struct offer_sink *sink, struct error *err);

#endif
