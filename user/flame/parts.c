// SPDX-License-Identifier: GPL-2.0-only
#include "flame/parts.h"

#include "flame/colors.h"
#include "flame/columns.h"

#define WAIT_BITS 10 /* width of WAIT() in bits */

/* The wait that stands for all of its state's look and its kind. */
static uint32_t part_of(const struct sample *sample)
{
	return WAIT(state__style(wait__state(sample->wait))->state, wait__kind(sample->wait));
}

void wait_parts__add(struct wait_parts *parts, const struct tree *tree,
		     const struct profile *profile)
{
	bool seen[1 << WAIT_BITS] = {false};
	size_t index[1 << WAIT_BITS];
	size_t nr_samples;
	const struct sample *samples = profile__samples(profile, &nr_samples);

	for (size_t i = 0; i < nr_samples; i++)
		seen[part_of(&samples[i])] = true;
	for (uint32_t state = 1; state < WAIT_STATES; state++)
		for (uint32_t kind = 0; kind < WAIT_KINDS; kind++) {
			struct wait_part part = {.wait = WAIT(state, kind), .profile = profile};

			if (!seen[part.wait])
				continue;
			for (int value = 0; value < VALUES; value++)
				part.values[value] =
					xcalloc(tree__nr_stacks(tree) + 1, sizeof(uint64_t));
			array__reserve(&parts->of, &parts->capacity, parts->nr + 1);
			index[part.wait] = parts->nr;
			parts->of[parts->nr++] = part;
		}
	for (size_t i = 0; i < nr_samples; i++) {
		const uint32_t wait = part_of(&samples[i]);
		const uint32_t stack = wait__state(wait) ? tree__find(tree, &samples[i]) : ID_NONE;

		if (stack != ID_NONE)
			values__add(parts->of[index[wait]].values, stack, samples[i].values);
	}
}

void wait_parts__free(struct wait_parts *parts)
{
	for (size_t i = 0; i < parts->nr; i++)
		for (int value = 0; value < VALUES; value++)
			free(parts->of[i].values[value]);
	free(parts->of);
	*parts = (struct wait_parts){0};
}

/* ---- sums ---- */

struct wait_sums wait_parts__sum(const struct wait_parts *parts, enum value value, size_t first,
				 size_t end)
{
	struct wait_sums sums = {0};

	for (size_t i = 0; i < parts->nr; i++) {
		const struct wait_part *part = &parts->of[i];
		uint64_t *state = &sums.states[wait__state(part->wait)];
		uint64_t *kind = &sums.kinds[wait__kind(part->wait)];

		for (size_t stack = first; stack < end; stack++) {
			*state = sum_of(*state, part->values[value][stack]);
			*kind = sum_of(*kind, part->values[value][stack]);
		}
	}
	return sums;
}

static size_t find_most(const uint64_t *amounts, size_t nr)
{
	size_t most = 0;

	for (size_t i = 1; i < nr; i++)
		if (amounts[i] > amounts[most])
			most = i;
	return most;
}

enum wait_state wait_sums__most(const struct wait_sums *sums)
{
	return (enum wait_state)find_most(sums->states, WAIT_STATES);
}

void wait_sums__describe(const struct wait_sums *sums, uint64_t all, FILE *out)
{
	struct wait_sums left = *sums;
	const char *before = "";
	size_t most;

	left.states[WAIT_UNKNOWN] = left.kinds[WAIT_FOR_NOTHING] = 0;
	while (left.states[most = find_most(left.states, WAIT_STATES)]) {
		fprintf(out, "%s%s %.2f%%", before, state__style((enum wait_state)most)->label,
			100.0 * (double)left.states[most] / (double)all);
		left.states[most] = 0;
		before = ", ";
	}
	before = "\nfor ";
	while (left.kinds[most = find_most(left.kinds, WAIT_KINDS)]) {
		fprintf(out, "%s%s %.2f%%", before, wait_kind__name((enum wait_kind)most),
			100.0 * (double)left.kinds[most] / (double)all);
		left.kinds[most] = 0;
		before = ", ";
	}
}
