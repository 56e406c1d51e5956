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

static bool is_allocator(const char *function)
{
	static const char *const prefixes[] = {"__libc_", "je_", "tc_", "mi_"};
	static const char *const names[] = {
		"malloc",	 "calloc",   "realloc", "reallocarray", "posix_memalign",
		"aligned_alloc", "memalign", "valloc",	"pvalloc",	"__rust_alloc",
	};
	static const char operator_new[] = "operator new";

	if (!function)
		return false;
	if (!strncmp(function, operator_new, strlen(operator_new)))
		return true;
	/* An allocator may put its prefix before the standard name of a function. */
	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
		if (!strncmp(function, prefixes[i], strlen(prefixes[i]))) {
			function += strlen(prefixes[i]);
			break;
		}
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(function, names[i]))
			return true;
	return false;
}

/* The stack without allocators at its leaf. */
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

void byte_counts__make(struct recording *recording)
{
	struct dictionary *dictionary = profile__dictionary(recording->profile);
	struct metrics metrics = *profile__metrics(recording->profile);
	struct profile *made = profile__new(dictionary);
	const uint64_t period = recording->period;
	uint64_t rest = period / 2;
	size_t nr_samples;
	const struct sample *samples = profile__samples(recording->profile, &nr_samples);

	metrics.of[VALUE_COUNT] = (struct metric){
		.name = metrics.of[VALUE_WEIGHT].name,
		.unit = "count",
		.is_events = true,
		.noun = recording->period > 1 ? NOUN : NOUN_BYTES,
	};
	metrics.shown = VALUE_COUNT;
	profile__set_metrics(made, &metrics);
	/* Remainders are carried to the next sample: nothing is lost in many small ones. */
	for (size_t i = 0; i < nr_samples; i++) {
		struct sample sample = samples[i];

		rest += sample.values[VALUE_WEIGHT] % period;
		sample.values[VALUE_COUNT] = sample.values[VALUE_WEIGHT] / period + rest / period;
		rest %= period;
		sample.stack = stack_of_caller(dictionary, sample.stack);
		profile__add(made, &sample);
	}

	for (size_t i = 0; i < recording->nr_slices; i++)
		profile__free(recording->slices[i]);
	recording->nr_slices = 0;
	recording__replace_profile(recording, made);
}
