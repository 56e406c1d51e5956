// SPDX-License-Identifier: GPL-2.0-only
/* A snapshot's life, and what adding up means for each of its parts. */
#include "profile/snapshot.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "base/sums.h"
#include "profile/dictionary.h"

int snapshot__init(struct snapshot *snapshot)
{
	*snapshot = (struct snapshot){.dictionary = dictionary__new()};
	if (snapshot->dictionary)
		snapshot->profile = profile__new(snapshot->dictionary);
	if (snapshot->profile)
		return 0;
	snapshot__fini(snapshot);
	return -ENOMEM;
}

static void drop_slices(struct snapshot *snapshot)
{
	for (size_t i = 0; i < snapshot->nr_slices; i++)
		profile__free(snapshot->slices[i]);
	free(snapshot->slices);
	snapshot->slices = NULL;
	snapshot->nr_slices = 0;
	snapshot->slice_ns = 0;
}

void snapshot__fini(struct snapshot *snapshot)
{
	drop_slices(snapshot);
	profile__free(snapshot->profile);
	dictionary__free(snapshot->dictionary);
	*snapshot = (struct snapshot){0};
}

const char *snapshot__keep(struct snapshot *snapshot, const char *string, bool *failed)
{
	return dictionary__keep(snapshot->dictionary, string, failed);
}

/* ---- slices ---- */

static int reserve_slices(struct snapshot *snapshot, size_t nr_slices)
{
	struct profile **slices;

	if (nr_slices <= snapshot->nr_slices)
		return 0;
	if (nr_slices > MAX_SLICES)
		return -ERANGE;
	slices = reallocarray(snapshot->slices, nr_slices, sizeof(struct profile *));
	if (!slices)
		return -ENOMEM;
	memset(slices + snapshot->nr_slices, 0,
	       (nr_slices - snapshot->nr_slices) * sizeof(struct profile *));
	snapshot->slices = slices;
	snapshot->nr_slices = nr_slices;
	return 0;
}

int snapshot__add_to_slice(struct snapshot *snapshot, size_t slice, const struct sample *sample)
{
	int code = slice < MAX_SLICES ? reserve_slices(snapshot, slice + 1) : -ERANGE;

	if (code)
		return code;
	if (!snapshot->slices[slice])
		snapshot->slices[slice] =
			profile__new_like(snapshot->profile, snapshot->dictionary);
	return snapshot->slices[slice] ? profile__add(snapshot->slices[slice], sample) : -ENOMEM;
}

static int add_slice(struct snapshot *snapshot, const struct profile *more)
{
	size_t index = snapshot->nr_slices;
	int code = reserve_slices(snapshot, index + 1);

	if (code)
		return code;
	snapshot->slices[index] = profile__new_like(snapshot->profile, snapshot->dictionary);
	return snapshot->slices[index] ? profile__merge(snapshot->slices[index], more) : -ENOMEM;
}

/* ---- adding ---- */

/* A mean of rates, by the time each held. */
static double mean_rate(double a, uint64_t a_ns, double b, uint64_t b_ns)
{
	double sum_ns = (double)a_ns + (double)b_ns;

	return sum_ns > 0 ? (a * (double)a_ns + b * (double)b_ns) / sum_ns : b;
}

int snapshot__add(struct snapshot *snapshot, const struct interval *interval, bool as_slice)
{
	struct provenance *provenance = &snapshot->provenance;
	int64_t start_ns = interval->end_realtime_ns - (int64_t)interval->duration_ns;
	int code = profile__merge(snapshot->profile, interval->profile);

	if (!code && as_slice)
		code = add_slice(snapshot, interval->profile);
	if (code)
		return code;
	ledger__add(&snapshot->ledger, &interval->ledger);
	snapshot->has_ledger = true;
	if (!provenance->start_realtime_ns)
		provenance->start_realtime_ns = start_ns;
	provenance->delivered_hz = mean_rate(provenance->delivered_hz, provenance->duration_ns,
					     interval->delivered_hz, interval->duration_ns);
	provenance->asked_hz = interval->asked_hz;
	provenance->nr_cpus = interval->nr_cpus;
	provenance->duration_ns = sum_of(provenance->duration_ns, interval->duration_ns);
	return 0;
}

/* "samples in count, cpu in nanoseconds", the one that is shown first */
static void list_metrics(const struct metrics *metrics, char *text, size_t size)
{
	const struct metric *shown = metrics__shown(metrics), *other = metrics__other(metrics);
	int length = 0;

	*text = '\0';
	if (shown->name)
		length = snprintf(text, size, "%.40s in %.40s", shown->name, shown->unit);
	if (other->name)
		snprintf(text + length, size - (size_t)length, "%s%.40s in %.40s",
			 length ? ", " : "", other->name, other->unit);
}

static int check_metrics(const struct metrics *a, const struct metrics *b, struct error *err)
{
	char names[2][200];
	struct quoted left, right;
	bool same = a->shown == b->shown;

	for (int value = 0; value < VALUES; value++)
		same &= metric__equal(&a->of[value], &b->of[value]);
	if (same)
		return 0;
	list_metrics(a, names[0], sizeof(names[0]));
	list_metrics(b, names[1], sizeof(names[1]));
	return error__say(err, EXIT_USAGE, -EINVAL,
			  "files of different sample types cannot be added up: %s, and %s",
			  quote(&left, names[0]), quote(&right, names[1]));
}

static void merge_provenance(struct snapshot *snapshot, const struct provenance *more)
{
	struct provenance *sum = &snapshot->provenance;

	for (int fact = 0; fact < FACTS; fact++)
		sum->facts[fact] = provenance__common(sum, more, (enum fact)fact);
	sum->delivered_hz = mean_rate(sum->delivered_hz, sum->duration_ns, more->delivered_hz,
				      more->duration_ns);
	sum->asked_hz =
		mean_rate(sum->asked_hz, sum->duration_ns, more->asked_hz, more->duration_ns);
	if (more->start_realtime_ns &&
	    (!sum->start_realtime_ns || more->start_realtime_ns < sum->start_realtime_ns))
		sum->start_realtime_ns = more->start_realtime_ns;
	if (more->nr_cpus > sum->nr_cpus)
		sum->nr_cpus = more->nr_cpus;
	if (sum->period != more->period)
		sum->period = 0;
	sum->duration_ns = sum_of(sum->duration_ns, more->duration_ns);
}

int snapshot__merge(struct snapshot *snapshot, const struct snapshot *more, struct error *err)
{
	int code = check_metrics(profile__metrics(snapshot->profile),
				 profile__metrics(more->profile), err);

	if (code)
		return code;
	if (profile__merge(snapshot->profile, more->profile))
		return error__no_memory(err);
	merge_provenance(snapshot, &more->provenance);
	ledger__add(&snapshot->ledger, &more->ledger);
	snapshot->has_ledger &= more->has_ledger;
	drop_slices(snapshot);
	return 0;
}

void snapshot__as_interval(const struct snapshot *snapshot, struct interval *interval)
{
	const struct provenance *provenance = &snapshot->provenance;

	*interval = (struct interval){
		.profile = snapshot->profile,
		.event = provenance->facts[FACT_EVENT],
		.ledger = snapshot->ledger,
		.target = provenance->facts[FACT_TARGET],
		.duration_ns = provenance->duration_ns,
		.asked_hz = provenance->asked_hz,
		.delivered_hz = provenance->delivered_hz,
		.nr_cpus = (unsigned int)provenance->nr_cpus,
		.is_foreign = !snapshot->has_ledger,
	};
	if (provenance->start_realtime_ns)
		interval->end_realtime_ns =
			provenance->start_realtime_ns + (int64_t)provenance->duration_ns;
}
