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

static int refuse(const struct metric *types, size_t nr_types, const char *wanted,
		  struct error *err)
{
	const char *near = nearest(types, nr_types, wanted);
	char names[300] = "", meant[200] = "";
	FILE *out = fmemopen(names, sizeof(names), "w");
	struct quoted quoted, quoted_near;

	for (size_t i = 0; out && i < nr_types; i++) {
		if (i && !strcmp(types[i].name, types[i - 1].name))
			continue; /* equal names are listed once */
		fputs(i ? ", " : "", out);
		text__print_safe(out, types[i].name, 40);
	}
	if (out)
		fclose(out);
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
	size_t shown = 0, other;

	*choice = (struct type_choice){.index = {NO_TYPE, NO_TYPE}};
	while (shown < nr_types && !types__is_called(&types[shown], wanted ? wanted : preferred))
		shown++;
	if (shown == nr_types && wanted)
		return refuse(types, nr_types, wanted, err);
	if (!nr_types)
		return 0;
	if (shown == nr_types) /* samples, or the last one, as go tool pprof does */
		for (shown = 0; shown + 1 < nr_types; shown++)
			if (metric__equal(&types[shown], &metric__samples))
				break;
	other = find_companion(types, nr_types, shown);
	choice->is_chosen = wanted;
	choice->shown = metric__is_count(&types[shown]) ? VALUE_COUNT : VALUE_WEIGHT;
	choice->index[choice->shown] = shown;
	choice->index[choice->shown == VALUE_COUNT ? VALUE_WEIGHT : VALUE_COUNT] = other;
	return 0;
}

bool types__are_pairs(const struct metric *types, size_t nr_types, const struct type_pair *pairs,
		      size_t nr_pairs)
{
	if (nr_types != VALUES * nr_pairs)
		return false;
	for (size_t i = 0; i < nr_pairs; i++) {
		if (!pairs[i].event)
			return false;
		for (size_t j = 0; j < i; j++)
			if (!strcmp(pairs[i].event, pairs[j].event))
				return false;
	}
	for (size_t i = 0; i < nr_types; i++)
		if (metric__is_count(&types[i]) != (i % VALUES == VALUE_COUNT))
			return false;
	return nr_pairs > 1 || !strcmp(types[VALUE_COUNT].name, types[VALUE_WEIGHT].name);
}

/*
 * A name that both values of a pair have, or that is the event's, means the value that the event
 * shows.
 */
int types__choose_pair(const struct metric *types, struct type_pair *pairs, size_t nr_pairs,
		       const char *wanted, const char *preferred, size_t *pair, struct error *err)
{
	const char *name = wanted ? wanted : preferred;

	*pair = 0;
	for (size_t i = 0; i < nr_pairs; i++) {
		const bool is_count = types__is_called(&types[VALUES * i + VALUE_COUNT], name);
		const bool is_weight = types__is_called(&types[VALUES * i + VALUE_WEIGHT], name);
		const bool is_one = is_count != is_weight;

		if (!is_count && !is_weight && strcmp(pairs[i].event, name) != 0)
			continue;
		if (is_one)
			pairs[i].shown = is_count ? VALUE_COUNT : VALUE_WEIGHT;
		pairs[i].is_chosen = wanted && is_one;
		*pair = i;
		return 0;
	}
	return wanted ? refuse(types, VALUES * nr_pairs, wanted, err) : 0;
}
