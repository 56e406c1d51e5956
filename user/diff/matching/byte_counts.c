// SPDX-License-Identifier: GPL-2.0-only
#include "diff/matching/byte_counts.h"

/* The noun of the counts. If every byte was counted (period 1), they are bytes. */
#define NOUN	   "samples of memory"
#define NOUN_BYTES "bytes"

bool byte_counts__are_made(const struct metrics *metrics)
{
	const char *noun = metrics->of[VALUE_COUNT].noun;

	return noun && (!strcmp(noun, NOUN) || !strcmp(noun, NOUN_BYTES));
}

static struct metrics metrics_of(const struct recording *recording)
{
	struct metrics metrics = *profile__metrics(recording->profile);

	metrics.of[VALUE_COUNT] = (struct metric){
		.name = metrics.of[VALUE_WEIGHT].name,
		.unit = "count",
		.is_events = true,
		.noun = recording->period > 1 ? NOUN : NOUN_BYTES,
	};
	metrics.shown = VALUE_COUNT;
	return metrics;
}

/* Skips the prefix that an allocator puts before the standard name of a function. */
static const char *skip_prefix(const char *function)
{
	static const char *const prefixes[] = {"__libc_", "je_", "tc_", "mi_"};

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
		if (!strncmp(function, prefixes[i], strlen(prefixes[i])))
			return function + strlen(prefixes[i]);
	return function;
}

static bool is_allocator(const char *function)
{
	static const char *const names[] = {
		"malloc",	 "calloc",   "realloc", "reallocarray", "posix_memalign",
		"aligned_alloc", "memalign", "valloc",	"pvalloc",	"__rust_alloc",
	};
	static const char operator_new[] = "operator new";

	for (size_t i = 0; function && i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(skip_prefix(function), names[i]))
			return true;
	return function && !strncmp(function, operator_new, strlen(operator_new));
}

/* The stack without allocators at its leaf. ID_NONE: out of memory. */
static uint32_t stack_of_caller(struct dictionary *dictionary, uint32_t stack)
{
	size_t nr_frames, nr_dropped = 0;
	const uint32_t *frames = dictionary__stack(dictionary, stack, &nr_frames);

	while (nr_dropped + 1 < nr_frames &&
	       is_allocator(dictionary__frame(dictionary, frames[nr_dropped])->function))
		nr_dropped++;
	if (!nr_dropped)
		return stack;
	return dictionary__add_stack(dictionary, frames + nr_dropped, nr_frames - nr_dropped);
}

/*
 * Sets counts: bytes divided by the period. The remainder is carried to the next sample, so that
 * nothing is lost in many small ones.
 */
static int add_counts(struct profile *made, const struct profile *profile, uint64_t period)
{
	struct dictionary *dictionary = profile__dictionary(profile);
	size_t nr_samples;
	const struct sample *samples = profile__samples(profile, &nr_samples);
	uint64_t rest = period / 2;
	int code = 0;

	for (size_t i = 0; i < nr_samples && !code; i++) {
		struct sample sample = samples[i];

		rest += sample.values[VALUE_WEIGHT] % period;
		sample.values[VALUE_COUNT] = sample.values[VALUE_WEIGHT] / period + rest / period;
		rest %= period;
		sample.stack = stack_of_caller(dictionary, sample.stack);
		code = sample.stack == ID_NONE ? -ENOMEM : profile__add(made, &sample);
	}
	return code;
}

static void drop_slices(struct recording *recording)
{
	for (size_t i = 0; i < recording->nr_slices; i++)
		profile__free(recording->slices[i]);
	recording->nr_slices = 0;
}

int byte_counts__make(struct recording *recording)
{
	const struct metrics metrics = metrics_of(recording);
	struct profile *made = profile__new(profile__dictionary(recording->profile));
	int code = made ? profile__set_metrics(made, &metrics) : -ENOMEM;

	if (!code)
		code = add_counts(made, recording->profile, recording->period);
	if (code) {
		profile__free(made);
		return code;
	}
	drop_slices(recording);
	return recording__replace_profile(recording, made);
}
