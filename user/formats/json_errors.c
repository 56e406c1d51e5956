// SPDX-License-Identifier: GPL-2.0-only
#include "formats/json_errors.h"

/* Of memory. */
static void write_amount(struct json *json, const struct certainty *certainty)
{
	struct bounds bounds;

	if (!(certainty->period > 0))
		return;
	bounds = certainty__amount(certainty, certainty->whole);
	json__number(json, "bytes_low", bounds.low);
	json__number(json, "bytes_high", bounds.high);
}

void json_errors__write(struct json *json, const struct certainty *certainty)
{
	json__open(json, "errors", '{');
	json__string(json, "lack", certainty->lack);
	if (!certainty->lack) {
		json__number(json, "level", CERTAINTY_LEVEL);
		json__number(json, "samples", certainty->samples);
		json__number(json, "dispersion", certainty->scatter.factor);
		json__number(json, "quantile", certainty->quantile);
		write_amount(json, certainty);
	}
	json__close(json, '}');
}

void json_errors__write_bounds(struct json *json, const struct certainty *certainty, uint64_t value)
{
	struct bounds bounds;

	if (certainty->lack)
		return;
	bounds = certainty__bounds(certainty, (double)value);
	json__number(json, "share", (double)value / certainty->whole);
	json__number(json, "share_low", bounds.low);
	json__number(json, "share_high", bounds.high);
}
