/* SPDX-License-Identifier: GPL-2.0-only */
/* The meaning of a server's answer for the part that was sent. */
#ifndef TOPSTACKS_PUSH_VERDICT_H
#define TOPSTACKS_PUSH_VERDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "push/http.h"

enum push_verdict {
	VERDICT_TAKEN,
	VERDICT_TRY_AGAIN,     /* 502, 503, 504, and no answer at all */
	VERDICT_TOO_MUCH,      /* 429 */
	VERDICT_BAD,	       /* 400: smaller parts may do */
	VERDICT_TOO_LARGE,     /* 413: the same */
	VERDICT_REFUSED,       /* for good */
	VERDICT_MISCONFIGURED, /* the server would accept no request with these settings */
};

enum push_verdict verdict__of(const struct push_answer *answer);

/* Parts of it may have been taken although it says no, or nothing. several: there were some. */
bool verdict__is_unconfirmed(const struct push_answer *answer, bool several);

/*
 * How many profiles of an OTLP request were rejected, by its answer; 0 also if it makes no sense.
 */
uint64_t verdict__nr_rejected(const struct push_answer *answer);

/* "429: push rate limit exceeded", safe to print. As snprintf. */
void verdict__describe(const struct push_answer *answer, char *text, size_t size);

#endif
