// SPDX-License-Identifier: GPL-2.0-only
#include "capture/offers.h"

#include <fnmatch.h>
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/files.h"
#include "capture/features.h"
#include "capture/tracefs.h"
#include "capture/tracepoint.h"

#define MAX_TERM     256 /* bytes of what a PMU says of an event */
#define MOST_WEIGHTS 6	 /* fields that are told of a tracepoint */

/* What is asked for, and who hears of it. */
struct telling {
	const char *pattern;
	const struct offer_sink *sink;
};

/* clang-format off */
static const struct {
	enum offer_group group;
	const char *name, *meaning;
} named[] = {
	{OFFERS_CPU, "cpu", "CPU time of whatever runs, by a timer on each CPU: the default"},
	{OFFERS_SOFTWARE, "page-faults", "memory was touched that was not mapped yet"},
	{OFFERS_SOFTWARE, "minor-faults", "of them: the page was in memory"},
	{OFFERS_SOFTWARE, "major-faults", "of them: the page had to be read from a disk"},
	{OFFERS_SOFTWARE, "context-switches", "a thread is put off its CPU"},
	{OFFERS_SOFTWARE, "cpu-migrations", "a thread moves to another CPU"},
	{OFFERS_SOFTWARE, "alignment-faults", "memory was touched at an odd address, which the kernel mends"},
	{OFFERS_SOFTWARE, "emulation-faults", "an instruction that the kernel does in place of the CPU"},
	{OFFERS_HARDWARE, "cycles", "clock ticks of a CPU that works"},
	{OFFERS_HARDWARE, "instructions", "instructions that were done"},
	{OFFERS_HARDWARE, "cache-references", "memory was asked for in the last cache"},
	{OFFERS_HARDWARE, "cache-misses", "it was not there"},
	{OFFERS_HARDWARE, "branches", "jumps in a program"},
	{OFFERS_HARDWARE, "branch-misses", "jumps that the CPU had not foreseen"},
	{OFFERS_HARDWARE, "bus-cycles", "clock ticks of the bus to memory"},
	{OFFERS_HARDWARE, "stalled-cycles-frontend", "clock ticks without an instruction to do"},
	{OFFERS_HARDWARE, "stalled-cycles-backend", "clock ticks in which an instruction had to wait"},
	{OFFERS_HARDWARE, "ref-cycles", "clock ticks at a frequency that never changes"},
};
/* clang-format on */

static bool matches(const struct telling *telling, const char *name)
{
	const char *pattern = telling->pattern;

	return !pattern || !fnmatch(pattern, name, 0) || strstr(name, pattern);
}

static void tell_named(const struct telling *telling, enum offer_group group)
{
	size_t i;

	for (i = 0; i < sizeof(named) / sizeof(*named); i++)
		if (named[i].group == group && matches(telling, named[i].name))
			telling->sink->on_offer(telling->sink->context, group, named[i].name,
						named[i].meaning);
}

/* A PMU may lack some of these, which opening it tells; most have none or nearly all. */
static int tell_hardware(const struct telling *telling, struct error *err)
{
	struct features *features = features__new("");

	if (!features)
		return error__no_memory(err);
	if (features__answer(features, FEATURE_PMU)->state == FEATURE_MISSING)
		telling->sink->on_lack(
			telling->sink->context, OFFERS_HARDWARE,
			"none: this machine has no counters for them, as virtual machines often "
			"have not");
	else
		tell_named(telling, OFFERS_HARDWARE);
	features__free(features);
	return 0;
}

/* ".../devices/msr/events/tsc" -> "msr/tsc/"; false: it only says something about another one. */
static bool name_pmu_event(const char *path, char *name, size_t size)
{
	const char *event = strrchr(path, '/') + 1, *device, *end = event - strlen("/events/");

	if (strchr(event, '.')) /* its unit, or its scale */
		return false;
	for (device = end; device > path && device[-1] != '/';)
		device--;
	snprintf(name, size, "%.*s/%s/", (int)(end - device), device, event);
	return true;
}

static void tell_pmu_event(const struct telling *telling, const char *path)
{
	char name[256], *terms = NULL;

	if (!name_pmu_event(path, name, sizeof(name)) || !matches(telling, name))
		return;
	if (!files__read(path, MAX_TERM, &terms, NULL))
		terms[strcspn(terms, "\n")] = '\0';
	telling->sink->on_offer(telling->sink->context, OFFERS_PMU, name, terms ? terms : "");
	free(terms);
}

static int tell_pmus(const struct telling *telling, struct error *err)
{
	glob_t found;
	size_t i;
	const int result = glob("/sys/bus/event_source/devices/*/events/*", 0, NULL, &found);

	if (result == GLOB_NOSPACE)
		return error__no_memory(err);
	for (i = 0; !result && i < found.gl_pathc; i++)
		tell_pmu_event(telling, found.gl_pathv[i]);
	if (!result)
		globfree(&found);
	return 0;
}

/* Words of our own, else the numbers that its records hold. */
static void tell_tracepoint(const struct telling *telling, int tracefs, const char *name)
{
	char text[160] = "", weights[128];
	const char *meaning = tracepoint__meaning(name, text, sizeof(text));
	struct tracepoint tracepoint;
	struct error err;

	if (!meaning && !tracepoint__read(&tracepoint, tracefs, name, &err)) {
		tracepoint__list_weights(&tracepoint, MOST_WEIGHTS, weights, sizeof(weights));
		snprintf(text, sizeof(text), "%s%s", *weights ? "fields: " : "", weights);
		tracepoint__free(&tracepoint);
	}
	telling->sink->on_offer(telling->sink->context, OFFERS_TRACEPOINTS, name,
				meaning ? meaning : text);
}

static int tell_tracepoints(const struct telling *telling, struct error *err)
{
	struct tracepoint_names names;
	const int tracefs = tracefs__open(err);
	size_t i;
	int code = tracefs < 0 ? tracefs : tracepoint_names__read(&names, tracefs, err);

	if (!code) {
		for (i = 0; i < names.nr_names; i++)
			if (matches(telling, names.names[i]))
				tell_tracepoint(telling, tracefs, names.names[i]);
		tracepoint_names__free(&names);
	} else if (code != -ENOMEM) {
		telling->sink->on_lack(telling->sink->context, OFFERS_TRACEPOINTS, err->text);
	}
	if (tracefs >= 0)
		close(tracefs);
	return code == -ENOMEM ? code : 0;
}

int offers__tell(const char *pattern, const struct offer_sink *sink, struct error *err)
{
	const struct telling telling = {pattern, sink};
	int code;

	tell_named(&telling, OFFERS_CPU);
	tell_named(&telling, OFFERS_SOFTWARE);
	code = tell_hardware(&telling, err);
	if (!code)
		code = tell_pmus(&telling, err);
	return code ? code : tell_tracepoints(&telling, err);
}
