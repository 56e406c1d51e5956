// SPDX-License-Identifier: GPL-2.0-only
/* Pairs of sample types: i-th event, types 2i and 2i + 1, the count and the weight. */
#include <string.h>

#include "formats/pprof/reader.h"

static bool are_distinct(const struct type_pair *pairs, size_t nr_pairs)
{
	for (size_t i = 0; i < nr_pairs; i++) {
		if (!pairs[i].event)
			return false;
		for (size_t j = 0; j < i; j++)
			if (!strcmp(pairs[i].event, pairs[j].event))
				return false;
	}
	return true;
}

bool types__are_pairs(const struct metric *types, size_t nr_types, const struct type_pair *pairs,
		      size_t nr_pairs)
{
	if (nr_types != VALUES * nr_pairs || !are_distinct(pairs, nr_pairs))
		return false;
	for (size_t i = 0; i < nr_types; i++)
		if (metric__is_count(&types[i]) != (i % VALUES == VALUE_COUNT))
			return false;
	return nr_pairs > 1 || !strcmp(types[VALUE_COUNT].name, types[VALUE_WEIGHT].name);
}

/* The value of the pair that is called so; both are: the one that is shown. VALUES: none. *is_one: one alone is. */
static enum value find_value(const struct metric *types, const struct type_pair *pair,
			     const char *name, bool *is_one)
{
	const bool is_count = types__is_called(&types[VALUE_COUNT], name);
	const bool is_weight = types__is_called(&types[VALUE_WEIGHT], name);

	*is_one = is_count != is_weight;
	if (is_count && is_weight)
		return pair->shown;
	if (*is_one)
		return is_count ? VALUE_COUNT : VALUE_WEIGHT;
	return strcmp(pair->event, name) ? VALUES : pair->shown;
}

int types__choose_pair(const struct metric *types, struct type_pair *pairs, size_t nr_pairs,
		       const char *wanted, const char *preferred, size_t *pair, struct error *err)
{
	*pair = 0;
	for (size_t i = 0; i < nr_pairs; i++) {
		bool is_one;
		const enum value value = find_value(&types[VALUES * i], &pairs[i],
						    wanted ? wanted : preferred, &is_one);

		if (value == VALUES)
			continue;
		pairs[i].shown = value;
		pairs[i].is_chosen = wanted && is_one;
		*pair = i;
		return 0;
	}
	return wanted ? types__refuse(types, VALUES * nr_pairs, wanted, err) : 0;
}
