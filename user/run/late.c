// SPDX-License-Identifier: GPL-2.0-only
#include "run/late.h"

#include "profile/recording.h"
#include "symbols/jit/late_names.h"

static bool find_name(void *names, const struct process *process, const struct frame *frame,
		      bool is_caller, struct frame *named)
{
	return late_names__name(names, process->instance, frame, is_caller, named);
}

void late__rename_profile(struct late *late, struct profile **profile, uint64_t *nr_samples)
{
	const struct renamer renamer = {find_name, late->names};

	if (late->names->bounds.nr_named)
		profile__rename(profile, &renamer, nr_samples);
}

void late__rename_saved(struct late *late, struct recording *recording)
{
	const struct renamer renamer = {find_name, late->names};

	if (late->names->bounds.nr_named)
		recording__rename(recording, &renamer, &late->nr_saved);
}

bool late__has_news(struct late *late)
{
	const size_t before = late->nr_seen;

	late->nr_seen = late->names->bounds.nr_named;
	return late->nr_seen != before;
}
