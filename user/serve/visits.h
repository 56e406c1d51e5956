/* SPDX-License-Identifier: GPL-2.0-only */
/* Notes until when each client has got samples. Clients choose their own names. */
#ifndef TOPSTACKS_SERVE_VISITS_H
#define TOPSTACKS_SERVE_VISITS_H

#include "base/common.h"

#define MOST_VISITORS	   64 /* of one user, as names cost memory, and any client can make up names */
#define VISITOR_NAME_BYTES 64

struct visitor {
	uint32_t uid; /* SERVE_NO_UID: clients with the token */
	char name[VISITOR_NAME_BYTES];
	uint64_t until_ns; /* CLOCK_MONOTONIC; 0: the first visit */
};

#define MOST_OFFERS 128 /* same as the limit of answers under way */

/* An answer under way. If it does not arrive, its samples must be sent again. */
struct offer {
	uint64_t number;  /* of the request; 0: entry is free */
	uint64_t from_ns; /* until_ns of the visit before */
	size_t visitor;
};

/* Zeroed before use. */
struct visits {
	struct visitor *visitors;
	size_t nr, capacity;
	struct offer offers[MOST_OFFERS];
};

/*
 * Finds or adds a visitor, valid until the next call. NULL: the user has too many.
 */
struct visitor *visits__find(struct visits *visits, uint32_t uid, const char *name);

/*
 * Notes that the answer `number` brings the visitor the samples up to until_ns, where the next
 * visit begins.
 */
void visits__offer(struct visits *visits, struct visitor *visitor, uint64_t number,
		   uint64_t until_ns);

/* Settles the answer `number`. If it has not arrived, the next visit begins where this one did. */
void visits__settle(struct visits *visits, uint64_t number, bool has_arrived);

/* Settles all answers under way as not arrived. */
void visits__settle_all(struct visits *visits);

void visits__fini(struct visits *visits);

#endif
