/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What an event is called in files and reports: what one says after -e for it, less what makes it no other
 * event, which are its period, its rate and the unit of its weight. So two events of one name can be
 * compared, and those of different names cannot: "page-faults:u", "block:block_rq_issue/weight=bytes,dev==7/".
 */
#ifndef TOPSTACKS_CAPTURE_EVENTS_EVENT_NAME_H
#define TOPSTACKS_CAPTURE_EVENTS_EVENT_NAME_H

#include "capture/events/event_words.h"

/*
 * Conditions are in order and their numbers decimal, however they were said. name: in the place of that of
 * the words. To be freed; NULL: out of memory.
 */
char *event_name__make(const struct event_words *words, const char *name);

/* The same without the weight: it is the name of how often that happened, whatever it weighed. */
char *event_name__make_count(const struct event_words *words, const char *name);

#endif
