// SPDX-License-Identifier: GPL-2.0-only
#include "profile/asked_rates.h"

#include <math.h>

void asked_rates__add(struct asked_rates *rates, double hz)
{
	double *list = rates->hz;
	uint64_t i = 0;

	if (!(hz > 0))
		return;
	if (rates->nr > MOST_TOLD_RATES) {
		list[0] = fmin(list[0], hz);
		list[1] = fmax(list[1], hz);
		return;
	}
	while (i < rates->nr && list[i] < hz)
		i++;
	if (i < rates->nr && list[i] == hz)
		return;
	if (rates->nr++ == MOST_TOLD_RATES) {
		list[1] = fmax(list[MOST_TOLD_RATES - 1], hz);
		list[0] = fmin(list[0], hz);
		return;
	}
	memmove(&list[i + 1], &list[i], (rates->nr - 1 - i) * sizeof(*list));
	list[i] = hz;
}

static const char *number(char *text, size_t size, double hz)
{
	if (hz < 999.95 && fabs(hz - round(hz)) >= 0.05)
		snprintf(text, size, "%.1f", hz);
	else
		text__format_count(text, size, (uint64_t)llround(fmin(hz, 1e15)));
	return text;
}

bool asked_rates__format(const struct asked_rates *rates, char *text, size_t size)
{
	char first[32], second[32], third[32];

	number(first, sizeof(first), rates->hz[0]);
	number(second, sizeof(second), rates->hz[1]);
	if (rates->nr > MOST_TOLD_RATES)
		snprintf(text, size, "%s to %s", first, second);
	else if (rates->nr == 3)
		snprintf(text, size, "%s, %s and %s", first, second,
			 number(third, sizeof(third), rates->hz[2]));
	else if (rates->nr == 2)
		snprintf(text, size, "%s and %s", first, second);
	return rates->nr > 1;
}
