/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From a request to what is sent back. Who asks sees what is his: with the token all of it, else on a
 * unix socket samples of his own processes, else nothing.
 */
#ifndef TOPSTACKS_SERVE_ANSWERS_H
#define TOPSTACKS_SERVE_ANSWERS_H

#include "profile/recording.h"
#include "serve/counters.h"
#include "serve/messages.h"
#include "serve/store.h"
#include "serve/visits.h"

struct answers {
	struct store *store; /* borrowed, as all of these */
	struct counters *counters;
	const char *token;
	const char *const *facts; /* of the machine, FACTS of them */
	uint64_t slice_ns;
	struct visits visits;
};

void answers__fini(struct answers *answers);

/*
 * Looks whether there may be an answer at all. 0: yes; else answer is filled: 400, 401 or 404.
 */
int answers__check(const struct answers *answers, const struct serve_request *request,
		   struct serve_answer *answer);

/*
 * Which time a request is about, at now_ns (CLOCK_MONOTONIC): that of a client since its last visit, or what
 * the request says.
 */
struct span answers__span(struct answers *answers, const struct serve_request *request,
			  uint64_t now_ns);

/*
 * Fills answer; with status 200 *file is a memfd with what is sent, the caller's to close. All slices of the
 * time are there, or will never be.
 */
void answers__make(struct answers *answers, const struct serve_request *request,
		   const struct span *span, struct serve_answer *answer, int *file);

/*
 * A recording of a time, from all processes, the caller's to fini; with_slices: in slices of slice_ns each.
 * -ENODATA: nothing is kept of that time. 0 or negative errno.
 */
int answers__gather(struct answers *answers, const struct span *span, bool with_slices,
		    struct recording *recording);

#endif
