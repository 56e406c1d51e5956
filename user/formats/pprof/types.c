// SPDX-License-Identifier: GPL-2.0-only
/*
 * A recording has a count and a weight. If the shown type is a count, the weight is the next type
 * that is no count, and the other way round: alloc_objects goes with alloc_space, inuse_objects
 * with inuse_space, samples with cpu.
 */
#include "formats/pprof/reader.h"

#include "base/distance.h"

bool types__is_called(const struct metric *type, const char *name)
{
	const size_t length = strlen(type->name);

	return !strncmp(type->name, name, length) &&
	       (!name[length] || (name[length] == '/' && !strcmp(name + length + 1, type->unit)));
}

static size_t find_type(const struct metric *types, size_t nr_types, const char *name)
{
	for (size_t i = 0; i < nr_types; i++)
		if (types__is_called(&types[i], name))
			return i;
	return NO_TYPE;
}

static size_t default_type(const struct metric *types, size_t nr_types)
{
	for (size_t i = 0; i < nr_types; i++)
		if (metric__equal(&types[i], &metric__samples))
			return i;
	return nr_types - 1; /* go tool pprof does the same */
}

/* The type's name that is most like the wanted one, if at most a third differs. NULL: none. */
static const char *nearest(const struct metric *types, size_t nr_types, const char *wanted)
{
	const size_t length = strnlen(wanted, 64);
	size_t least = length / 3 + 1;
	const char *name = NULL;

	for (size_t i = 0; i < nr_types; i++) {
		const size_t distance = distance__measure(wanted, length, types[i].name);

		if (distance < least) {
			least = distance;
			name = types[i].name;
		}
	}
	return name;
}

/* Prints the types' names; equal names are listed once. */
static void list_types(FILE *out, const struct metric *types, size_t nr_types)
{
	for (size_t i = 0; i < nr_types; i++) {
		if (i && !strcmp(types[i].name, types[i - 1].name))
			continue;
		fputs(i ? ", " : "", out);
		text__print_safe(out, types[i].name, 40);
	}
}

static int refuse(const struct metric *types, size_t nr_types, const char *wanted,
		  struct error *err)
{
	const char *near = nearest(types, nr_types, wanted);
	char names[300] = "", meant[200] = "";
	FILE *out = fmemopen(names, sizeof(names), "w");
	struct quoted quoted, quoted_near;

	if (out) {
		list_types(out, types, nr_types);
		fclose(out);
	}
	names[sizeof(names) - 1] = '\0';
	if (near)
		snprintf(meant, sizeof(meant), "; do you mean %s?", quote(&quoted_near, near));
	return error__say(err, EXIT_USAGE, -EINVAL, "no sample type %s, there are %s%s",
			  quote(&quoted, wanted), names, meant);
}

/*
 * The type to go with the shown one: the next one of the other kind after it, else the nearest
 * before it.
 */
static size_t find_companion(const struct metric *types, size_t nr_types, size_t shown)
{
	bool wants_count = !metric__is_count(&types[shown]);
	size_t found = NO_TYPE;

	for (size_t i = 0; i < nr_types; i++)
		if (metric__is_count(&types[i]) == wants_count) {
			if (!wants_count && i > shown)
				return i;
			if (i < shown)
				found = i;
			else if (found == NO_TYPE)
				found = i;
		}
	return found;
}

int types__choose(const struct metric *types, size_t nr_types, const char *wanted,
		  const char *preferred, struct type_choice *choice, struct error *err)
{
	size_t shown = find_type(types, nr_types, wanted ? wanted : preferred);

	*choice = (struct type_choice){.index = {NO_TYPE, NO_TYPE}};
	if (shown == NO_TYPE && wanted)
		return refuse(types, nr_types, wanted, err);
	if (!nr_types)
		return 0;
	if (shown == NO_TYPE)
		shown = default_type(types, nr_types);
	choice->is_chosen = wanted;
	choice->shown = metric__is_count(&types[shown]) ? VALUE_COUNT : VALUE_WEIGHT;
	choice->index[choice->shown] = shown;
	choice->index[choice->shown == VALUE_COUNT ? VALUE_WEIGHT : VALUE_COUNT] =
		find_companion(types, nr_types, shown);
	return 0;
}

/* Pairs of types: event i has the types 2i and 2i + 1, count and weight. */

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

/*
 * The value of a pair with this name: if both have it, or it is the event's, the shown value.
 * VALUES: none. *is_one: exactly one value has it.
 */
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
	return wanted ? refuse(types, VALUES * nr_pairs, wanted, err) : 0;
}
