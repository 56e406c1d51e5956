/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Parses the target of a request, "/debug/pprof/profile?seconds=30", to a request to the sampler.
 */
#ifndef TOPSTACKS_FRONT_QUESTION_H
#define TOPSTACKS_FRONT_QUESTION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "serve/messages.h"

#define QUESTION_SECONDS 30 /* default, as in Go's net/http/pprof */

struct asked_for {
	bool is_index;		      /* the list of endpoints, which needs no sampler */
	bool waits;		      /* for time that is still to come */
	struct serve_request request; /* without client and number */
};

/*
 * Parses a target as it came. 0; -ENOENT: there is no such path; -EINVAL: the query is not valid.
 * err has the sentence.
 */
int question__parse(struct asked_for *asked, const char *target, uint32_t max_seconds,
		    int64_t now_ns, struct error *err);

#endif
