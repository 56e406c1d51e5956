/* SPDX-License-Identifier: GPL-2.0-only */
/* The events that this machine can sample: names for -e, each with its meaning. */
#ifndef TOPSTACKS_CAPTURE_EVENTS_EVENT_LIST_H
#define TOPSTACKS_CAPTURE_EVENTS_EVENT_LIST_H

#include "base/common.h"
#include "capture/events/source.h"

/* Receives the list. Strings are valid during the call; those from kernel files are untrusted. */
struct offer_sink {
	void *context;
	void (*on_offer)(void *context, enum offer_group group, const char *name,
			 const char *meaning);
	/* Why a group is empty or cannot be read: one sentence without a full stop. */
	void (*on_lack)(void *context, enum offer_group group, const char *why);
};

/*
 * Lists the events that match a shell pattern or contain it; NULL: all. Events of a group come
 * together, sorted by name or by how common they are. Returns 0 or negative errno.
 */
int event_list__tell(const char *pattern, const struct offer_sink *sink, struct error *err);

#endif
