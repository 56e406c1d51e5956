// SPDX-License-Identifier: GPL-2.0-only
#include "formats/pprof/slices.h"

#define MAX_VARINT 10

/* ---- writing ---- */

/* Counts the slices of each sample in ends[]; every sample of a slice is also in the whole. */
static void count_parts(struct slice_parts *parts)
{
	const struct recording *event = parts->event;
	size_t nr, nr_samples;
	const struct sample *whole = profile__samples(event->profile, &nr);

	for (size_t i = 0; i < event->nr_slices; i++) {
		const struct sample *samples =
			event->slices[i] ? profile__samples(event->slices[i], &nr_samples) : NULL;

		for (size_t j = 0; samples && j < nr_samples; j++) {
			const struct sample *of = profile__find(event->profile, &samples[j]);

			if (of)
				parts->ends[of - whole + 1]++;
		}
	}
	for (size_t i = 0; i < nr; i++)
		parts->ends[i + 1] += parts->ends[i];
}

/* Fills the parts. ends[] holds the start of each sample's parts, and moves to their end. */
static void take_parts(struct slice_parts *parts)
{
	const struct recording *event = parts->event;
	size_t nr, nr_samples;
	const struct sample *whole = profile__samples(event->profile, &nr);

	for (size_t i = 0; i < event->nr_slices; i++) {
		const struct sample *samples =
			event->slices[i] ? profile__samples(event->slices[i], &nr_samples) : NULL;

		for (size_t j = 0; samples && j < nr_samples; j++) {
			const struct sample *of = profile__find(event->profile, &samples[j]);
			struct slice_part *part =
				of ? &parts->parts[parts->ends[of - whole]++] : NULL;

			if (!part)
				continue;
			part->slice = (uint32_t)i;
			for (int value = 0; value < VALUES; value++)
				part->values[value] = samples[j].values[value];
		}
	}
}

int slice_parts__init(struct slice_parts *parts, const struct recording *event)
{
	size_t nr;

	*parts = (struct slice_parts){.event = event};
	profile__samples(event->profile, &nr);
	parts->ends = calloc(nr + 2, sizeof(*parts->ends));
	if (!parts->ends)
		return -ENOMEM;
	count_parts(parts);
	parts->parts = calloc(parts->ends[nr] + 1, sizeof(*parts->parts));
	if (!parts->parts)
		return -ENOMEM;
	take_parts(parts);
	return 0;
}

void slice_parts__fini(struct slice_parts *parts)
{
	free(parts->ends);
	free(parts->parts);
	*parts = (struct slice_parts){0};
}

static size_t put(uint8_t *at, uint64_t number)
{
	size_t nr = 0;

	for (; number >= 0x80; number >>= 7)
		at[nr++] = (uint8_t)(number | 0x80);
	at[nr++] = (uint8_t)number;
	return nr;
}

/* True if part's weight is to whole's weight as its count is to whole's count. */
static bool is_in_proportion(const uint64_t *part, const uint64_t *whole)
{
	return (unsigned __int128)part[VALUE_WEIGHT] * whole[VALUE_COUNT] ==
	       (unsigned __int128)whole[VALUE_WEIGHT] * part[VALUE_COUNT];
}

static bool needs_weights(const struct slice_part *parts, size_t nr, const uint64_t *whole)
{
	for (size_t i = 0; i < nr; i++)
		if (!is_in_proportion(parts[i].values, whole))
			return true;
	return !whole[VALUE_COUNT];
}

int slice_parts__pack(const struct slice_parts *parts, size_t number, const struct sample *sample,
		      uint8_t **bytes, size_t *nr_bytes, size_t *capacity)
{
	size_t nr_samples, nr;
	const struct sample *whole = profile__samples(parts->event->profile, &nr_samples);
	const struct sample *of = profile__find(parts->event->profile, sample);
	const size_t index = of ? (size_t)(of - whole) : 0,
		     begin = index ? parts->ends[index - 1] : 0;
	const struct slice_part *first = &parts->parts[begin];
	bool weights;
	uint64_t next = 0;

	nr = of ? parts->ends[index] - begin : 0;
	if (!nr)
		return 0;
	if (array__reserve(bytes, capacity, *nr_bytes + (3 * nr + 2) * MAX_VARINT))
		return -ENOMEM;
	weights = needs_weights(first, nr, of->values);
	*nr_bytes += put(*bytes + *nr_bytes, number);
	*nr_bytes += put(*bytes + *nr_bytes, 2 * nr + weights);
	for (size_t i = 0; i < nr; i++) {
		const uint64_t count = first[i].values[VALUE_COUNT];

		*nr_bytes += put(*bytes + *nr_bytes, 2 * (first[i].slice - next) + (count != 1));
		if (count != 1)
			*nr_bytes += put(*bytes + *nr_bytes, count);
		if (weights)
			*nr_bytes += put(*bytes + *nr_bytes, first[i].values[VALUE_WEIGHT]);
		next = first[i].slice + 1;
	}
	return 0;
}

/* ---- reading ---- */

int slice_reading__begin(struct slice_reading *reading)
{
	uint64_t nr;

	if (reading->wire.at == reading->wire.end)
		return 0;
	if (wire__varint(&reading->wire, &reading->event) || wire__varint(&reading->wire, &nr))
		return -EINVAL;
	reading->nr_left = nr / 2;
	reading->has_weights = nr & 1;
	reading->next = 0;
	memset(reading->taken, 0, sizeof(reading->taken));
	return 1;
}

static int read_weight(struct slice_reading *reading, uint64_t *values)
{
	const uint64_t *whole = reading->whole;

	if (reading->has_weights)
		return wire__varint(&reading->wire, &values[VALUE_WEIGHT]);
	values[VALUE_WEIGHT] = whole[VALUE_COUNT]
				       ? (uint64_t)((unsigned __int128)whole[VALUE_WEIGHT] *
						    values[VALUE_COUNT] / whole[VALUE_COUNT])
				       : 0;
	return 0;
}

/* Adds a part to the sum so far. -EINVAL: the parts exceed the whole. */
static int take_values(struct slice_reading *reading, const uint64_t *values)
{
	for (int value = 0; value < VALUES; value++) {
		if (values[value] > reading->whole[value] - reading->taken[value])
			return -EINVAL;
		reading->taken[value] += values[value];
	}
	return 1;
}

int slice_reading__next(struct slice_reading *reading, struct slice_part *part)
{
	uint64_t step;

	if (!reading->nr_left)
		return 0;
	reading->nr_left--;
	if (wire__varint(&reading->wire, &step) || step / 2 >= MAX_SLICES ||
	    reading->next + step / 2 >= MAX_SLICES)
		return -EINVAL;
	part->slice = (uint32_t)(reading->next + step / 2);
	reading->next = part->slice + 1;
	part->values[VALUE_COUNT] = 1;
	if (step & 1 && wire__varint(&reading->wire, &part->values[VALUE_COUNT]))
		return -EINVAL;
	if (read_weight(reading, part->values))
		return -EINVAL;
	return take_values(reading, part->values);
}
