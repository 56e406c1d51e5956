// SPDX-License-Identifier: GPL-2.0-only
#include "formats/json_errors.h"

void json_certainty__init(struct json_certainty *certainty, const struct recording *recording)
{
	const struct metrics *metrics = profile__metrics(recording->profile);

	*certainty = (struct json_certainty){
		.value = metrics->shown,
		.has_spent = metrics->shown == VALUE_WEIGHT && !metrics->is_chosen &&
			     profile__is_spent(recording->profile),
	};
	if (certainty->has_spent)
		certainty->value = VALUE_COUNT;
	certainty__init_value(&certainty->of, recording, certainty->value);
	if (certainty->has_spent)
		certainty__init_value(&certainty->spent, recording, VALUE_WEIGHT);
}

static void write_errors(struct json *json, const struct certainty *certainty)
{
	struct bounds bounds;

	json__string(json, "lack", certainty->lack);
	if (certainty->lack)
		return;
	json__number(json, "level", CERTAINTY_LEVEL);
	json__number(json, "samples", certainty->samples);
	json__number(json, "dispersion", certainty->scatter.factor);
	json__number(json, "quantile", certainty->quantile);
	if (certainty->period > 0) { /* of an amount of memory */
		bounds = certainty__amount(certainty, certainty->whole);
		json__number(json, "bytes_low", bounds.low);
		json__number(json, "bytes_high", bounds.high);
	}
}

void json_errors__write(struct json *json, const struct json_certainty *certainty)
{
	json__open(json, "errors", '{');
	write_errors(json, &certainty->of);
	if (certainty->has_spent) {
		json__open(json, "spent", '{');
		write_errors(json, &certainty->spent);
		if (!certainty->spent.lack)
			json__number(json, "worth", certainty__worth(&certainty->spent));
		json__close(json, '}');
	}
	json__close(json, '}');
}

void json_errors__write_bounds(struct json *json, const struct certainty *certainty,
			       struct portion part)
{
	struct bounds bounds;

	if (certainty->lack)
		return;
	bounds = certainty__bounds(certainty, part);
	json__number(json, "share", part.value / certainty->whole);
	json__number(json, "share_low", bounds.low);
	json__number(json, "share_high", bounds.high);
}

void json_errors__write_shares(struct json *json, const struct json_certainty *certainty,
			       const uint64_t values[VALUES], double squares)
{
	json_errors__write_bounds(json, &certainty->of,
				  (struct portion){(double)values[certainty->value], squares});
	if (!certainty->has_spent || certainty->spent.lack)
		return;
	json__open(json, "spent", '{');
	json_errors__write_bounds(json, &certainty->spent,
				  (struct portion){(double)values[VALUE_WEIGHT], squares});
	json__close(json, '}');
}
