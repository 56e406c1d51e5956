/* SPDX-License-Identifier: GPL-2.0-only */
/* What a request asks for: from its target, "/debug/pprof/profile?seconds=30", to what the sampler is asked. */
#ifndef TOPSTACKS_FRONT_QUESTION_H
#define TOPSTACKS_FRONT_QUESTION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "serve/messages.h"

#define QUESTION_SECONDS 30 /* where a client does not say: as Go's net/http/pprof has it */

struct asked_for {
	bool is_index; /* the list of what there is, which the sampler need not be asked for */
	bool waits;    /* for time that has not come yet */
	struct serve_request request; /* without who asks, and without a number */
};

/*
 * Takes a target apart, as it came. 0; -ENOENT: there is nothing of that name; -EINVAL: the query cannot be
 * answered. err says it in a sentence.
 */
int question__parse(struct asked_for *asked, const char *target, uint32_t max_seconds,
		    int64_t now_ns, struct error *err);

#endif
