/* SPDX-License-Identifier: GPL-2.0-only */
/* A sampling density. 0 leaves a number unchanged, or says that there is no such event. */
#ifndef TOPSTACKS_CAPTURE_EVENTS_PACE_H
#define TOPSTACKS_CAPTURE_EVENTS_PACE_H

#include "base/common.h"

struct pace {
	double rate_hz; /* of events that have a rate */
	uint64_t
		one_in; /* of the samples that counted events would have, one in so many is taken */
};

#endif
