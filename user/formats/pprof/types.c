// SPDX-License-Identifier: GPL-2.0-only
/*
 * A recording has a count and a weight. Where the type that is shown is a count, the weight is the
 * next type that is none, and the other way round: alloc_objects goes with alloc_space,
 * inuse_objects with inuse_space, samples with cpu.
 */
#include "formats/pprof/reader.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/quote.h"
#include "base/text.h"

static bool is_count(const struct metric *type)
{
	return type->is_events;
}

/* Files have no titles; these types are the same in those of all profilers. */
struct metric types__make(const char *name, const char *unit)
{
	const struct metric cpu = {.name = "cpu", .unit = "nanoseconds", .title = "CPU time"};
	const struct metric type = {
		.name = name, .unit = unit, .is_events = !strcmp(unit, "count")};

	if (metric__equal(&type, &metric__samples))
		return metric__samples;
	return metric__equal(&type, &cpu) ? cpu : type;
}

static size_t find_type(const struct metric *types, size_t nr_types, const char *name)
{
	for (size_t i = 0; i < nr_types; i++)
		if (!strcmp(types[i].name, name))
			return i;
	return NO_TYPE;
}

static size_t default_type(const struct metric *types, size_t nr_types)
{
	for (size_t i = 0; i < nr_types; i++)
		if (metric__equal(&types[i], &metric__samples))
			return i;
	return nr_types - 1; /* as go tool pprof */
}

static int refuse(const struct metric *types, size_t nr_types, const char *wanted,
		  struct error *err)
{
	char names[300] = "";
	FILE *out = fmemopen(names, sizeof(names), "w");
	struct quoted quoted;

	for (size_t i = 0; out && i < nr_types; i++) {
		fputs(i ? ", " : "", out);
		text__print_safe(out, types[i].name, 40);
	}
	if (out)
		fclose(out);
	names[sizeof(names) - 1] = '\0';
	return error__say(err, EXIT_USAGE, -EINVAL, "no sample type %s, there are %s",
			  quote(&quoted, wanted), names);
}

/* After shown if there is one, else the nearest before it. */
static size_t find_companion(const struct metric *types, size_t nr_types, size_t shown)
{
	bool wants_count = !is_count(&types[shown]);
	size_t found = NO_TYPE;

	for (size_t i = 0; i < nr_types; i++)
		if (is_count(&types[i]) == wants_count) {
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
	choice->shown = is_count(&types[shown]) ? VALUE_COUNT : VALUE_WEIGHT;
	choice->index[choice->shown] = shown;
	choice->index[choice->shown == VALUE_COUNT ? VALUE_WEIGHT : VALUE_COUNT] =
		find_companion(types, nr_types, shown);
	return 0;
}
