/* SPDX-License-Identifier: GPL-2.0-only */
/* Until when clients have seen what was sampled, by the names that they give themselves. */
#ifndef TOPSTACKS_SERVE_VISITS_H
#define TOPSTACKS_SERVE_VISITS_H

#include <stddef.h>
#include <stdint.h>

#define MOST_VISITORS	   64 /* of one user: names cost memory, and anybody can make them up */
#define VISITOR_NAME_BYTES 64

struct visitor {
	uint32_t uid; /* SERVE_NO_UID: whoever has the token */
	char name[VISITOR_NAME_BYTES];
	uint64_t until_ns; /* CLOCK_MONOTONIC; 0: this is the first visit */
};

/* Zeroed at first. */
struct visits {
	struct visitor *visitors;
	size_t nr, capacity;
};

/* Valid until the next call. NULL: the user has too many already, or there is no memory. */
struct visitor *visits__find(struct visits *visits, uint32_t uid, const char *name);

void visits__fini(struct visits *visits);

#endif
