/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Turns a request into an answer. A client with the token sees all samples; a client on a unix
 * socket sees samples of its own processes; any other client sees none.
 */
#ifndef TOPSTACKS_SERVE_ANSWERS_H
#define TOPSTACKS_SERVE_ANSWERS_H

#include "profile/recording.h"
#include "serve/counters.h"
#include "serve/messages.h"
#include "serve/store.h"
#include "serve/visits.h"

struct answers {
	struct store *store; /* borrowed, like all pointers here */
	struct counters *counters;
	const char *token;
	const char *const *facts; /* of the machine; FACTS items */
	uint64_t slice_ns;
	struct visits visits;
};

void answers__fini(struct answers *answers);

/*
 * Checks whether the request can be answered. 0: yes; else answer has the status: 400, 401 or 404.
 */
int answers__check(const struct answers *answers, const struct serve_request *request,
		   struct serve_answer *answer);

/*
 * The time that a request is about, at now_ns (CLOCK_MONOTONIC): since the client's last visit, or
 * as the request says.
 */
struct span answers__span(struct answers *answers, const struct serve_request *request,
			  uint64_t now_ns);

/*
 * Fills answer; with status 200, *file is a memfd with the body, which the caller closes. Call it
 * when all slices of the time are there, or will never come.
 */
void answers__make(struct answers *answers, const struct serve_request *request,
		   const struct span *span, struct serve_answer *answer, int *file);

/*
 * Makes a recording of a time, from all processes; the caller calls recording__fini(). with_slices:
 * keep slices of slice_ns apart. 0 or negative errno; -ENODATA: no slice of that time is kept.
 */
int answers__gather(struct answers *answers, const struct span *span, bool with_slices,
		    struct recording *recording);

#endif
