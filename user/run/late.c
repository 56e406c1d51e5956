// SPDX-License-Identifier: GPL-2.0-only
#include "run/late.h"

#include <stdio.h>

#include "base/numbers.h"
#include "profile/recording.h"
#include "symbols/symbols.h"

static bool find_name(void *symbols, const struct process *process, const struct frame *frame,
		      bool is_caller, struct frame *named)
{
	return symbols__late_name(symbols, process, frame, is_caller, named);
}

int late__rename_profile(struct late *late, struct profile **profile, uint64_t *nr_samples)
{
	const struct renamer renamer = {find_name, late->symbols};

	return symbols__nr_late(late->symbols) ? profile__rename(profile, &renamer, nr_samples) : 0;
}

int late__rename_saved(struct late *late, struct recording *recording)
{
	const struct renamer renamer = {find_name, late->symbols};

	return symbols__nr_late(late->symbols)
		       ? recording__rename(recording, &renamer, &late->nr_saved)
		       : 0;
}

bool late__has_news(struct late *late)
{
	const size_t before = late->nr_seen;

	late->nr_seen = symbols__nr_late(late->symbols);
	return late->nr_seen != before;
}

void late__say(struct late *late, bool is_saved)
{
	const uint64_t nr_samples =
		late->nr_samples + (is_saved ? late->nr_saved : late->nr_summed);
	const size_t nr_reused = symbols__nr_reused(late->symbols);
	char samples[32], reused[32];

	if (!nr_samples && !nr_reused)
		return;
	text__format_count(samples, sizeof(samples), nr_samples);
	text__format_count(reused, sizeof(reused), nr_reused);
	fprintf(stderr,
		"topstacks: %s sample%s named late, by what runtimes told of their code afterwards",
		samples, nr_samples == 1 ? " was" : "s were");
	if (nr_reused)
		fprintf(stderr, "; %s address%s reused, and %s no name", reused,
			nr_reused == 1 ? " was" : "es were", nr_reused == 1 ? "has" : "have");
	fputc('\n', stderr);
}
