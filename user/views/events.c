// SPDX-License-Identifier: GPL-2.0-only
#include "views/events.h"

#include <stdio.h>

#include "base/numbers.h"

static const struct metric *weight_of(const struct recording *event)
{
	return &profile__metrics(event->profile)->of[VALUE_WEIGHT];
}

bool event__covers_time(const struct recording *event)
{
	return event->asked_hz > 0 && metric__unit_ns(weight_of(event));
}

bool event__is_counted(const struct recording *event)
{
	return weight_of(event)->name && !metric__unit_ns(weight_of(event)) &&
	       event->facts[FACT_EVENT];
}

bool event__weighs(const struct recording *event)
{
	return weight_of(event)->name && metric__brings_unit(weight_of(event));
}

int event__format_weight(const struct recording *event, char *text, size_t size)
{
	return metric__format(weight_of(event), profile__total(event->profile, VALUE_WEIGHT), text,
			      size);
}

void event__describe_account(const struct recording *event, char *text, size_t size)
{
	const struct ledger *ledger = &event->ledger;
	const uint64_t placed = ledger->events - ledger__lost(ledger);
	char events[32];

	*text = '\0';
	if (!event->has_ledger)
		return;
	text__format_count(events, sizeof(events), ledger->events);
	if (!ledger->events)
		snprintf(text, size, "none");
	else
		snprintf(text, size, "%.1f %% of %s accounted for%s",
			 100.0 * (double)placed / (double)ledger->events, events,
			 ledger->lost_unmeasured
				 ? "; more may be lost, which is not verifiable here"
				 : "");
}

int event__describe(const struct recording *event, char *text, size_t size)
{
	const char *name = event->facts[FACT_EVENT];
	char counted[32], weight[40] = "", line[600];

	text__format_count(counted, sizeof(counted), profile__total(event->profile, VALUE_COUNT));
	if (event__weighs(event)) {
		char number[32];

		event__format_weight(event, number, sizeof(number));
		snprintf(weight, sizeof(weight), ", %s", number);
	}
	ledger__line(&event->ledger, line, sizeof(line));
	return snprintf(text, size, "%.100s  %s%s%s%s", name ? name : "[unnamed]", counted, weight,
			event->has_ledger ? ": " : "", event->has_ledger ? line : "");
}
