/* SPDX-License-Identifier: GPL-2.0-only */
/* Until when clients have seen what was sampled, by the names that they give themselves. */
#ifndef TOPSTACKS_SERVE_VISITS_H
#define TOPSTACKS_SERVE_VISITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MOST_VISITORS	   64 /* of one user: names cost memory, and anybody can make them up */
#define VISITOR_NAME_BYTES 64

struct visitor {
	uint32_t uid; /* SERVE_NO_UID: whoever has the token */
	char name[VISITOR_NAME_BYTES];
	uint64_t until_ns; /* CLOCK_MONOTONIC; 0: this is the first visit */
};

#define MOST_OFFERS 128 /* as many as answers may be under way */

/* An answer that is under way: what it holds may have to be sent once more. */
struct offer {
	uint64_t number;  /* of the request; 0: there is none */
	uint64_t from_ns; /* when the visit before it was */
	size_t visitor;
};

/* Zeroed at first. */
struct visits {
	struct visitor *visitors;
	size_t nr, capacity;
	struct offer offers[MOST_OFFERS];
};

/* Valid until the next call. NULL: the user has too many already, or there is no memory. */
struct visitor *visits__find(struct visits *visits, uint32_t uid, const char *name);

/* The visitor is sent what there was until then. */
void visits__offer(struct visits *visits, struct visitor *visitor, uint64_t number,
		   uint64_t until_ns);

/* It has arrived; or it has not: the next visit begins where it did. */
void visits__settle(struct visits *visits, uint64_t number, bool has_arrived);

/* Nothing that is under way will arrive. */
void visits__settle_all(struct visits *visits);

void visits__fini(struct visits *visits);

#endif
