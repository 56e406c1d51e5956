/* SPDX-License-Identifier: GPL-2.0-only */
/* How densely is sampled. Where a number is 0, it stays what it is, or there is no such event. */
#ifndef TOPSTACKS_CAPTURE_EVENTS_PACE_H
#define TOPSTACKS_CAPTURE_EVENTS_PACE_H

#include <stdint.h>

struct pace {
	double rate_hz; /* of events that have a rate */
	uint64_t
		one_in; /* of the samples that counted events would have, one in so many is taken */
};

#endif
