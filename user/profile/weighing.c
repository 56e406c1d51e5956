// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which value is shown of samples that weigh differently: the rate has changed during a run, or files of several
 * rates were added up. A sample of a low rate stands for more than one of a high rate then, and a share of their
 * number is no share of what was spent.
 */
#include "profile/recording.h"

bool profile__is_spent(const struct profile *profile)
{
	const struct metrics *metrics = profile__metrics(profile);

	return (!metrics->is_chosen || metrics->shown == VALUE_WEIGHT) &&
	       metrics__stand_for_weight(metrics) && profile__weighs_differently(profile);
}

static void show_weight(struct recording *event)
{
	profile__show(event->profile, VALUE_WEIGHT);
	for (size_t i = 0; i < event->nr_slices; i++)
		if (event->slices[i])
			profile__show(event->slices[i], VALUE_WEIGHT);
}

void recording__show_spent(struct recording *recording)
{
	for (struct recording *event = recording; event; event = event->more) {
		const struct metrics *metrics = profile__metrics(event->profile);
		const bool is_shown =
			metrics->shown == VALUE_WEIGHT && metrics__stand_for_weight(metrics);

		if (is_shown || profile__is_spent(event->profile))
			show_weight(event);
	}
}
