// SPDX-License-Identifier: GPL-2.0-only
#include "profile/profile.h"

bool profile__tells_waits(const struct profile *profile)
{
	size_t nr_samples;
	const struct sample *samples = profile__samples(profile, &nr_samples);

	for (size_t i = 0; i < nr_samples; i++)
		if (wait__state(samples[i].wait))
			return true;
	return false;
}

struct profile *profile__select_waits(const struct profile *profile,
				      const struct wait_choice *choice)
{
	struct profile *made = profile__new_like(profile, profile__dictionary(profile));
	size_t nr_samples;
	const struct sample *samples = profile__samples(profile, &nr_samples);

	for (size_t i = 0; made && i < nr_samples; i++) {
		if (!wait_choice__has(choice, samples[i].wait) || !profile__add(made, &samples[i]))
			continue;
		profile__free(made);
		return NULL;
	}
	return made;
}
