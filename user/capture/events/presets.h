/* SPDX-License-Identifier: GPL-2.0-only */
/* Several events under one name, as -e takes it. */
#ifndef TOPSTACKS_CAPTURE_EVENTS_PRESETS_H
#define TOPSTACKS_CAPTURE_EVENTS_PRESETS_H

#include <stddef.h>

struct preset {
	const char *name;
	const char *events;  /* what it stands for, as -e takes them; none of them is a preset */
	const char *meaning; /* a few words, for lists */
	const char *limits;  /* what it does not tell, as a sentence without a full stop */
};

/* Ends in one without a name. */
extern const struct preset presets[];

/* By a name that need not end after its length in bytes; NULL: none is called so. */
const struct preset *preset__find(const char *name, size_t length);

/* That a list of events, as said, has among its items; NULL, also for NULL: it has none. */
const struct preset *preset__first(const char *events);

#endif
