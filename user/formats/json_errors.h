/* SPDX-License-Identifier: GPL-2.0-only */
/* How sure shares are, as JSON: the same in all objects that have samples. */
#ifndef TOPSTACKS_FORMATS_JSON_ERRORS_H
#define TOPSTACKS_FORMATS_JSON_ERRORS_H

#include "formats/json_text.h"
#include "profile/certainty.h"

/*
 * What shares are of: of counts, whose keys are as old as the schemas, or of another value that the user or the event
 * has for them; and where samples weigh differently, of what was spent besides.
 */
struct json_certainty {
	enum value value; /* that "share" is of */
	struct certainty of, spent;
	bool has_spent;
};

/* Shares of all of the recording. 0 or -ENOMEM. */
int json_certainty__init(struct json_certainty *certainty, const struct recording *recording);

/* "errors": what bounds are made of, or why there are none. */
void json_errors__write(struct json *json, const struct json_certainty *certainty);

/* The share of a sample and its bounds, and that of what was spent; nothing where there are none. */
void json_errors__write_shares(struct json *json, const struct json_certainty *certainty,
			       const uint64_t values[VALUES], double squares);

/* The bounds of one value, without those of what was spent. */
void json_errors__write_bounds(struct json *json, const struct certainty *certainty,
			       struct portion part);

#endif
