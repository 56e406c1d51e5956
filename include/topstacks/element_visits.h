/* SPDX-License-Identifier: GPL-2.0-only */
/* Between kern/element_visits.bpf.c and user/capture/element_visits.c. */
#ifndef TOPSTACKS_ELEMENT_VISITS_H
#define TOPSTACKS_ELEMENT_VISITS_H

#include <linux/types.h>

#define VISITED_BYTES (1 << 20) /* of the ring that records go through */

struct visit_request {
	__u32 generation; /* whose maps are visited */
	__u32 unused;
};

enum visit_result {
	VISIT_ENDED,   /* each element was visited */
	VISIT_GOES_ON, /* the ring is full */
	VISIT_FAILED,
};

#endif
