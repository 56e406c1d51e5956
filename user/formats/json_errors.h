/* SPDX-License-Identifier: GPL-2.0-only */
/* How sure shares are, as JSON: the same in all objects that have samples. */
#ifndef TOPSTACKS_FORMATS_JSON_ERRORS_H
#define TOPSTACKS_FORMATS_JSON_ERRORS_H

#include "formats/json_text.h"
#include "profile/certainty.h"

/* "errors": what bounds are made of, or why there are none. */
void json_errors__write(struct json *json, const struct certainty *certainty);

/* The share of a value and its bounds; nothing where there are none. */
void json_errors__write_bounds(struct json *json, const struct certainty *certainty,
			       uint64_t value);

#endif
