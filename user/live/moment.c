// SPDX-License-Identifier: GPL-2.0-only
#include "live/moment.h"

#include <stdlib.h>
#include <string.h>

static struct profile *copy_profile(const struct profile *profile)
{
	struct dictionary *dictionary = dictionary__new();
	struct profile *copy = dictionary ? profile__new(dictionary) : NULL;

	if (copy && profile__merge(copy, profile)) {
		profile__free(copy);
		copy = NULL;
	}
	dictionary__free(dictionary);
	return copy;
}

struct moment *moment__new(const struct interval *interval)
{
	struct moment *moment = calloc(1, sizeof(*moment));

	if (!moment)
		return NULL;
	moment->interval = *interval;
	moment->interval.quality.nr_causes = 0; /* their names are the other dictionary's */
	moment->target = strdup(interval->target ? interval->target : "");
	moment->profile = copy_profile(interval->profile);
	moment->interval.target = moment->target;
	moment->interval.profile = moment->profile;
	if (moment->target && moment->profile)
		return moment;
	moment__free(moment);
	return NULL;
}

void moment__free(struct moment *moment)
{
	if (!moment)
		return;
	profile__free(moment->profile);
	free(moment->target);
	free(moment);
}
