// SPDX-License-Identifier: GPL-2.0-only
/* A recording's life, and how each of its parts is added up. */
#include "profile/recording.h"

/*
 * True if weights are to be shown: samples weigh differently, as the rate changed during a run, or
 * files of several rates were added up. A sample at a low rate stands for more time than one at a
 * high rate, so a share of counts is no share of time.
 */

bool profile__is_spent(const struct profile *profile)
{
	const struct metrics *metrics = profile__metrics(profile);

	return (!metrics->is_chosen || metrics->shown == VALUE_WEIGHT) &&
	       metrics__stand_for_weight(metrics) && profile__weighs_differently(profile);
}

void recording__show_spent(struct recording *recording)
{
	for (struct recording *event = recording; event; event = event->more) {
		const struct metrics *metrics = profile__metrics(event->profile);
		const bool is_shown =
			metrics->shown == VALUE_WEIGHT && metrics__stand_for_weight(metrics);

		if (!is_shown && !profile__is_spent(event->profile))
			continue;
		profile__show(event->profile, VALUE_WEIGHT);
		for (size_t i = 0; i < event->nr_slices; i++)
			if (event->slices[i])
				profile__show(event->slices[i], VALUE_WEIGHT);
	}
}

bool heap__has_blocks(const struct recording *recording)
{
	return metrics__are_blocks(profile__metrics(recording->profile));
}

double heap__samples(const struct recording *recording, double bytes)
{
	if (!heap__has_blocks(recording) || recording->period <= 1)
		return 0;
	return bytes / (double)recording->period;
}

const char *fact__name(enum fact fact)
{
	static const char *const names[FACTS] = {
		[FACT_EVENT] = "event",	    [FACT_UNWINDING] = "unwinding",
		[FACT_TARGET] = "target",   [FACT_HOST] = "host",
		[FACT_KERNEL] = "kernel",   [FACT_CPU] = "cpu",
		[FACT_VERSION] = "version",
	};

	return names[fact];
}

void recording__init(struct recording *recording)
{
	struct dictionary *dictionary = dictionary__new();

	*recording = (struct recording){.profile = profile__new(dictionary)};
	dictionary__free(dictionary);
}

static void drop_slices(struct recording *recording)
{
	for (size_t i = 0; i < recording->nr_slices; i++)
		profile__free(recording->slices[i]);
	free(recording->slices);
	free(recording->slice_times);
	recording->slices = NULL;
	recording->slice_times = NULL;
	recording->nr_slices = 0;
	recording->slice_ns = 0;
}

static void fini_event(struct recording *recording)
{
	drop_slices(recording);
	profile__free(recording->profile);
	*recording = (struct recording){0};
}

void recording__drop_others(struct recording *recording)
{
	struct recording *more = recording->more, *next;

	recording->more = NULL;
	for (; more; more = next) {
		next = more->more;
		fini_event(more);
		free(more);
	}
}

void recording__fini(struct recording *recording)
{
	recording__drop_others(recording);
	fini_event(recording);
}

const char *recording__keep(struct recording *recording, const char *string)
{
	return dictionary__keep(profile__dictionary(recording->profile), string);
}

/* ---- copies ---- */

/* Copies lost abilities, of another recording or its own, with strings of its dictionary. */
static void keep_lost(struct recording *recording, const struct lost_ability *lost)
{
	for (size_t i = 0; i < MOST_LOST_ABILITIES; i++)
		recording->lost_abilities[i] = (struct lost_ability){
			.name = recording__keep(recording, lost[i].name),
			.instead = recording__keep(recording, lost[i].instead),
			.why = recording__keep(recording, lost[i].why),
		};
}

/* Interns all texts of a recording in the dictionary of its profile. */
static void keep_words(struct recording *recording)
{
	for (int fact = 0; fact < FACTS; fact++)
		recording->facts[fact] = recording__keep(recording, recording->facts[fact]);
	keep_lost(recording, recording->lost_abilities);
	recording->left_out = recording__keep(recording, recording->left_out);
	recording->drop_frames = recording__keep(recording, recording->drop_frames);
	recording->keep_frames = recording__keep(recording, recording->keep_frames);
	for (size_t i = 0; i < recording->quality.nr_causes; i++) {
		struct quality_cause *cause = &recording->quality.causes[i];

		cause->module = recording__keep(recording, cause->module);
		cause->path = recording__keep(recording, cause->path);
		cause->build_id = recording__keep(recording, cause->build_id);
		cause->package = recording__keep(recording, cause->package);
		cause->symbols = recording__keep(recording, cause->symbols);
	}
}

void recording__replace_profile(struct recording *recording, struct profile *profile)
{
	struct profile *old = recording->profile;

	recording->profile = profile;
	keep_words(recording);
	profile__free(old);
}

static struct profile *move_profile(const struct profile *profile, struct dictionary *dictionary)
{
	struct profile *moved = profile__new_like(profile, dictionary);

	profile__merge(moved, profile);
	return moved;
}

void recording__drop_unused(struct recording *recording)
{
	struct dictionary *dictionary = dictionary__new();

	for (; recording; recording = recording->more) {
		recording__replace_profile(recording, move_profile(recording->profile, dictionary));
		for (size_t i = 0; i < recording->nr_slices; i++) {
			struct profile *slice = recording->slices[i];

			if (slice)
				recording->slices[i] = move_profile(slice, dictionary);
			profile__free(slice);
		}
	}
	dictionary__free(dictionary);
}

void recording__copy(struct recording *copy, const struct recording *recording,
		     struct dictionary *dictionary)
{
	for (;; copy = copy->more) {
		*copy = *recording;
		copy->slices = NULL;
		copy->slice_times = NULL;
		copy->nr_slices = 0;
		copy->profile = profile__new(dictionary);
		profile__merge(copy->profile, recording->profile);
		keep_words(copy);
		recording = recording->more;
		copy->more = recording ? xcalloc(1, sizeof(*copy)) : NULL;
		if (!recording)
			return;
	}
}

/* ---- slices ---- */

/* Makes the slice of this number if there is none. 0 or -ERANGE. */
static int make_slice(struct recording *recording, size_t number)
{
	if (number >= MAX_SLICES)
		return -ERANGE;
	if (number >= recording->nr_slices) {
		recording->slices =
			xrealloc(recording->slices, (number + 1) * sizeof(*recording->slices));
		memset(recording->slices + recording->nr_slices, 0,
		       (number + 1 - recording->nr_slices) * sizeof(*recording->slices));
		recording->nr_slices = number + 1;
	}
	if (!recording->slices[number])
		recording->slices[number] = profile__new_like(
			recording->profile, profile__dictionary(recording->profile));
	return 0;
}

int recording__add_to_slice(struct recording *recording, size_t slice, const struct sample *sample)
{
	int code = make_slice(recording, slice);

	if (!code)
		profile__add(recording->slices[slice], sample);
	return code;
}

/* Adds samples that have a slice both to the whole and to that slice. */
static int append_by_slice(struct recording *recording, const struct profile *more)
{
	struct profile *sum = recording->profile;
	struct profile *moved = profile__new_like(sum, profile__dictionary(sum));
	const uint64_t slice_ns = recording->slice_ns;
	const size_t before =
		slice_ns ? (size_t)((recording->duration_ns + slice_ns / 2) / slice_ns) : 0;
	size_t nr_samples;
	const struct sample *samples;
	int code = 0;

	profile__merge_by_slice(moved, more);
	samples = profile__samples(moved, &nr_samples);
	if (metrics__are_unset(profile__metrics(sum)))
		profile__set_metrics(sum, profile__metrics(moved));
	for (size_t i = 0; i < nr_samples && !code; i++) {
		struct sample sample = samples[i];

		sample.slice = 0;
		profile__add(sum, &sample);
		if (samples[i].slice)
			code = recording__add_to_slice(recording, before + samples[i].slice - 1,
						       &sample);
	}
	profile__free(moved);
	return code;
}

uint64_t recording__nr_unsliced(const struct recording *recording)
{
	uint64_t nr = recording->nr_slices ? profile__total(recording->profile, VALUE_COUNT) : 0;

	for (size_t i = 0; i < recording->nr_slices; i++)
		if (recording->slices[i])
			nr -= profile__total(recording->slices[i], VALUE_COUNT);
	return nr;
}

size_t recording__memory_bytes(const struct recording *recording)
{
	size_t nr_bytes = dictionary__memory_bytes(profile__dictionary(recording->profile));

	for (; recording; recording = recording->more) {
		nr_bytes += profile__memory_bytes(recording->profile);
		for (size_t i = 0; i < recording->nr_slices; i++)
			if (recording->slices[i])
				nr_bytes += profile__memory_bytes(recording->slices[i]);
	}
	return nr_bytes;
}

/* ---- the next part of a run ---- */

/* The mean of two rates, weighted by their durations. */
static double mean_rate(double a, uint64_t a_ns, double b, uint64_t b_ns)
{
	double sum_ns = (double)a_ns + (double)b_ns;

	return sum_ns > 0 ? (a * (double)a_ns + b * (double)b_ns) / sum_ns : b;
}

static void add_cost(struct recording *to, const struct recording *next)
{
	struct cost *sum = &to->cost;
	const struct cost *more = &next->cost;

	sum->elapsed_ns += more->elapsed_ns ? more->elapsed_ns : next->duration_ns;
	sum->user_ns += more->user_ns;
	sum->system_ns += more->system_ns;
	sum->drain_ns += more->drain_ns;
	sum->symbols_ns += more->symbols_ns;
	sum->display_ns += more->display_ns;
	sum->program_runs += more->program_runs;
	sum->program_ns += more->program_ns;
	if (more->peak_bytes > sum->peak_bytes)
		sum->peak_bytes = more->peak_bytes;
	sum->resident_bytes = more->resident_bytes;
	sum->symbols_bytes = more->symbols_bytes;
	sum->kernel_bytes = more->kernel_bytes;
}

void recording__append_circumstances(struct recording *recording, const struct recording *next)
{
	const uint64_t before_ns = recording->duration_ns;
	const double next_hz = next->first_hz > 0 ? next->first_hz : next->asked_hz;

	if (!recording->start_realtime_ns)
		recording->start_realtime_ns = next->start_realtime_ns;
	recording->duration_ns = sum_of(before_ns, next->duration_ns);
	recording->nr_cpus = next->nr_cpus;
	recording->whole_system = next->whole_system;

	/* rates */
	recording->delivered_hz = mean_rate(recording->delivered_hz, before_ns, next->delivered_hz,
					    next->duration_ns);
	if (!before_ns)
		recording->first_hz = next->first_hz;
	else if (recording->first_hz <= 0 && recording->asked_hz != next_hz)
		recording->first_hz = recording->asked_hz;
	recording->asked_hz = next->asked_hz;
	recording->lowered_hz = next->lowered_hz;
	if (before_ns && recording->period != next->period)
		profile__add_rate(recording->profile);
	recording->period = next->period;
	if (next->thinned.one_in && !recording->thinned.one_in)
		recording->thinned.since_ns = sum_of(before_ns, next->thinned.since_ns);
	if (next->thinned.one_in > recording->thinned.one_in)
		recording->thinned.one_in = next->thinned.one_in;

	ledger__add(&recording->ledger, &next->ledger);
	recording->has_ledger = next->has_ledger;
	add_cost(recording, next);

	/* Facts of the next part replace older ones. */
	for (int fact = 0; fact < FACTS; fact++)
		if (next->facts[fact])
			recording->facts[fact] = recording__keep(recording, next->facts[fact]);
	if (next->lost_abilities[0].name)
		keep_lost(recording, next->lost_abilities);
}

static int append_samples(struct recording *sum, const struct recording *part, size_t slice)
{
	int code;

	if (slice == AS_TOLD)
		return append_by_slice(sum, part->profile);
	profile__merge(sum->profile, part->profile);
	if (slice == NO_SLICE)
		return 0;
	code = make_slice(sum, slice);
	return code ? code : profile__merge(sum->slices[slice], part->profile);
}

int recording__append_as(struct recording *recording, const struct recording *next, size_t slice)
{
	int code = 0;

	for (const struct recording *part = next; part && !code; part = part->more) {
		struct recording *sum = recording__event_for(recording, next, part);

		code = append_samples(sum, part, slice);
		if (!code)
			recording__append_circumstances(sum, part);
	}
	recording__show_spent(recording);
	return code;
}

int recording__append(struct recording *recording, const struct recording *next, bool as_slice)
{
	return recording__append_as(recording, next, as_slice ? recording->nr_slices : NO_SLICE);
}

/* ---- another run ---- */

static const char *common_word(const char *a, const char *b)
{
	return a && b && !strcmp(a, b) ? a : NULL;
}

/*
 * If the two lost different abilities, those of the sum are not known: one of them may have had
 * what the other lacked.
 */
static void merge_lost(struct recording *sum, const struct recording *more)
{
	bool are_same = true;

	for (size_t i = 0; i < MOST_LOST_ABILITIES && are_same; i++) {
		const char *name = sum->lost_abilities[i].name;
		const char *other = more->lost_abilities[i].name;

		are_same = name == other || common_word(name, other);
	}
	if (!are_same)
		memset(sum->lost_abilities, 0, sizeof(sum->lost_abilities));
}

static void add_asked(struct asked_rates *rates, const struct recording *recording)
{
	const struct asked_rates *own = &recording->asked_rates;

	for (uint64_t i = 0; i < own->nr && i < MOST_TOLD_RATES; i++)
		asked_rates__add(rates, own->hz[i]);
	if (!own->nr)
		asked_rates__add(rates, recording->asked_hz);
}

static void merge_rates(struct recording *sum, const struct recording *more)
{
	if (!sum->asked_rates.nr)
		add_asked(&sum->asked_rates, sum);
	add_asked(&sum->asked_rates, more);
	sum->delivered_hz = mean_rate(sum->delivered_hz, sum->duration_ns, more->delivered_hz,
				      more->duration_ns);
	sum->asked_hz =
		mean_rate(sum->asked_hz, sum->duration_ns, more->asked_hz, more->duration_ns);
	sum->first_hz = sum->lowered_hz = 0;
	if (sum->period != more->period)
		profile__add_rate(sum->profile);
	if (sum->period != more->period || sum->thinned.since_ns || more->thinned.since_ns)
		sum->period = 0;
	if (more->thinned.one_in > sum->thinned.one_in)
		sum->thinned.one_in = more->thinned.one_in;
	sum->thinned.since_ns = 0;
}

void recording__merge_event(struct recording *sum, const struct recording *more)
{
	profile__merge(sum->profile, more->profile);
	for (int fact = 0; fact < FACTS; fact++)
		sum->facts[fact] = common_word(sum->facts[fact], more->facts[fact]);
	merge_lost(sum, more);
	merge_rates(sum, more);
	if (more->start_realtime_ns &&
	    (!sum->start_realtime_ns || more->start_realtime_ns < sum->start_realtime_ns))
		sum->start_realtime_ns = more->start_realtime_ns;
	if (more->nr_cpus > sum->nr_cpus)
		sum->nr_cpus = more->nr_cpus;
	sum->whole_system &= more->whole_system;
	sum->is_whole_run = false;
	sum->is_private |= more->is_private;
	sum->is_difference |= more->is_difference;
	sum->duration_ns = sum_of(sum->duration_ns, more->duration_ns);
	ledger__add(&sum->ledger, &more->ledger);
	sum->has_ledger &= more->has_ledger;
	add_cost(sum, more);
	drop_slices(sum);
}

int recording__merge(struct recording *recording, const struct recording *more, struct error *err)
{
	const struct recording *first = recording;
	const int code = recording__check_events(recording, more, err);

	for (struct recording *part = recording; part && !code; part = part->more)
		recording__merge_event(part, recording__same_event(more, first, part));
	recording__show_spent(recording);
	return code;
}
