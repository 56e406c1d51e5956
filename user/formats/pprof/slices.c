// SPDX-License-Identifier: GPL-2.0-only
#include "formats/pprof/slices.h"

#define MAX_VARINT 10

/* ---- writing ---- */

/*
 * Visits the parts of all samples. Each sample of a slice is also in the whole, at the index `of`.
 */
static void visit_parts(struct slice_parts *parts,
			void (*visit)(struct slice_parts *parts, size_t of,
				      const struct slice_part *part))
{
	const struct recording *event = parts->event;
	size_t nr, nr_samples;
	const struct sample *whole = profile__samples(event->profile, &nr);

	for (size_t i = 0; i < event->nr_slices; i++) {
		const struct sample *samples =
			event->slices[i] ? profile__samples(event->slices[i], &nr_samples) : NULL;

		for (size_t j = 0; samples && j < nr_samples; j++) {
			const struct sample *of = profile__find(event->profile, &samples[j]);
			struct slice_part part = {.slice = (uint32_t)i};

			memcpy(part.values, samples[j].values, sizeof(part.values));
			if (of)
				visit(parts, (size_t)(of - whole), &part);
		}
	}
}

static void count_part(struct slice_parts *parts, size_t of, const struct slice_part *part)
{
	(void)part;
	parts->ends[of + 1]++;
}

/* ends[] holds the start of each sample's parts, and moves to their end. */
static void take_part(struct slice_parts *parts, size_t of, const struct slice_part *part)
{
	parts->parts[parts->ends[of]++] = *part;
}

void slice_parts__init(struct slice_parts *parts, const struct recording *event)
{
	size_t nr;

	profile__samples(event->profile, &nr);
	*parts = (struct slice_parts){.event = event, .ends = xcalloc(nr + 2, sizeof(size_t))};
	visit_parts(parts, count_part);
	for (size_t i = 0; i < nr; i++)
		parts->ends[i + 1] += parts->ends[i];
	parts->parts = xcalloc(parts->ends[nr] + 1, sizeof(*parts->parts));
	visit_parts(parts, take_part);
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

void slice_parts__pack(const struct slice_parts *parts, size_t number, const struct sample *sample,
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
		return;
	array__reserve(bytes, capacity, *nr_bytes + (3 * nr + 2) * MAX_VARINT);
	/* Weights are left out if each part's is to the whole's as its count is to the whole's. */
	weights = !of->values[VALUE_COUNT];
	for (size_t i = 0; i < nr && !weights; i++)
		weights =
			(unsigned __int128)first[i].values[VALUE_WEIGHT] *
				of->values[VALUE_COUNT] !=
			(unsigned __int128)of->values[VALUE_WEIGHT] * first[i].values[VALUE_COUNT];
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

int slice_reading__next(struct slice_reading *reading, struct slice_part *part)
{
	const uint64_t *whole = reading->whole;
	uint64_t *values = part->values, step;

	if (!reading->nr_left)
		return 0;
	reading->nr_left--;
	if (wire__varint(&reading->wire, &step) || step / 2 >= MAX_SLICES ||
	    reading->next + step / 2 >= MAX_SLICES)
		return -EINVAL;
	part->slice = (uint32_t)(reading->next + step / 2);
	reading->next = part->slice + 1;
	values[VALUE_COUNT] = 1;
	if (step & 1 && wire__varint(&reading->wire, &values[VALUE_COUNT]))
		return -EINVAL;
	values[VALUE_WEIGHT] = 0;
	if (reading->has_weights && wire__varint(&reading->wire, &values[VALUE_WEIGHT]))
		return -EINVAL;
	if (!reading->has_weights && whole[VALUE_COUNT])
		values[VALUE_WEIGHT] = (uint64_t)((unsigned __int128)whole[VALUE_WEIGHT] *
						  values[VALUE_COUNT] / whole[VALUE_COUNT]);
	for (int value = 0; value < VALUES; value++) {
		if (values[value] > whole[value] - reading->taken[value])
			return -EINVAL;
		reading->taken[value] += values[value];
	}
	return 1;
}
