/* SPDX-License-Identifier: GPL-2.0-only */
/* The certainty of shares as JSON: the same keys in all objects that have samples. */
#ifndef TOPSTACKS_FORMATS_JSON_ERRORS_H
#define TOPSTACKS_FORMATS_JSON_ERRORS_H

#include "formats/json_text.h"
#include "profile/certainty.h"

/*
 * The certainties of the two kinds of shares. "share" is of counts, as in all older schemas, or of
 * a value that the user or the event chose. If samples weigh differently, "spent" adds shares of
 * weights.
 */
struct json_certainty {
	enum value value; /* the value of "share" */
	struct certainty of, spent;
	bool has_spent;
};

/* Finds the certainty of shares of the whole recording. */
void json_certainty__init(struct json_certainty *certainty, const struct recording *recording);

/* Writes "errors": the facts that bounds are computed from, or why there are none. */
void json_errors__write(struct json *json, const struct json_certainty *certainty);

/*
 * Writes the share of a sample with its bounds, and its share of weights; nothing without bounds.
 */
void json_errors__write_shares(struct json *json, const struct json_certainty *certainty,
			       const uint64_t values[VALUES], double squares);

/* Writes share and bounds of one value, without the share of weights. */
void json_errors__write_bounds(struct json *json, const struct certainty *certainty,
			       struct portion part);

#endif
