// SPDX-License-Identifier: GPL-2.0-only

#include "capture/events/event.h"
#include "capture/events/presets.h"
#include "capture/events/source.h"
#include "capture/events/suggestions.h"

static int say_unknown(const struct event *event, struct error *err)
{
	const char *wanted = event->words.name;
	const struct preset *preset = preset__find(wanted, strlen(wanted));
	const struct source *const *source;
	struct near near = {0};
	struct quoted quoted;
	char names[256];

	if (preset)
		return error__say(
			err, EXIT_USAGE, -EINVAL,
			"%s has neither terms nor modes, as it is several events: say -e %s",
			preset->name, preset->events);
	for (source = sources; *source; source++)
		if ((*source)->suggest)
			(*source)->suggest(&near, wanted);
	for (preset = presets; preset->name; preset++)
		near__add(&near, preset->name, wanted, 0);
	error__say(err, EXIT_USAGE, -ENOENT, "no such event: %s%s", quote(&quoted, wanted),
		   near__format(&near, "; near: ", names, sizeof(names)));
	near__fini(&near);
	return -ENOENT;
}

static int find_source(struct event *event, struct error *err)
{
	const struct source *const *source;
	int code = 0;

	for (source = sources; *source && !code; source++) {
		code = (*source)->parse(event, err);
		if (code > 0)
			event->source = *source;
	}
	if (code < 0)
		return code;
	if (!code)
		return say_unknown(event, err);
	if (!event->name)
		event->name = strdup(event->words.said);
	return event->name ? 0 : error__no_memory(err);
}

/* Refuses a repeated event: both would have the same name in files and reports. */
static int say_twice(const struct event_words *first, const struct event *second, struct error *err)
{
	const struct event_words *again = &second->words;
	const char *name = strcmp(first->said, again->said) ? second->name : again->said;
	struct quoted quoted;
	int code = error__say(err, EXIT_USAGE, -EINVAL, "-e has %s twice", quote(&quoted, name));

	if (first->period == again->period && first->freq_hz == again->freq_hz &&
	    first->unit == again->unit)
		return code;
	return error__remedy(err, "another period, rate or unit makes no other event of it");
}

static int check_twice(const struct events *events, struct error *err)
{
	const struct event *last = &events->list[events->nr - 1];
	struct quoted quoted;
	size_t i;

	for (i = 0; i + 1 < events->nr; i++) {
		const struct event *event = &events->list[i];

		if (!strcmp(event->name, last->name))
			return say_twice(&event->words, last, err);
		if (event->source->is_timed && last->source->is_timed)
			return error__say(err, EXIT_USAGE, -EINVAL,
					  "-e takes one of off-cpu, wall and lock: each is made "
					  "of the same waits");
		if (event->attr.type == PERF_TYPE_TRACEPOINT &&
		    last->attr.type == PERF_TYPE_TRACEPOINT &&
		    event->attr.config == last->attr.config)
			return error__say(err, EXIT_USAGE, -EINVAL,
					  "-e has the tracepoint %s twice, and the kernel runs a "
					  "program there once: make two runs of it",
					  quote(&quoted, last->words.name));
	}
	return 0;
}

static int add_event(struct events *events, const char *item, size_t length, struct error *err)
{
	struct event *event = &events->list[events->nr];
	int code;

	if (events->nr == ABI_MAX_EVENTS)
		return error__say(err, EXIT_USAGE, -E2BIG, "-e takes %d events at most",
				  ABI_MAX_EVENTS);
	code = event_words__parse(&event->words, item, length, err);
	if (code)
		return code;
	events->nr++;
	code = find_source(event, err);
	return code ? code : check_twice(events, err);
}

static int check_needs(const struct events *events, const struct event *event, struct error *err)
{
	struct quoted quoted;
	size_t i;

	if (!event->source->needs)
		return 0;
	for (i = 0; i < events->nr; i++)
		if (events->list[i].source == event->source->needs)
			return 0;
	return error__say(err, EXIT_USAGE, -EINVAL,
			  "-e %s is of what another event samples: -e alloc --live has both",
			  quote(&quoted, event->name));
}

typedef int add_item(struct events *events, const char *item, size_t length, struct error *err);

static int add_list(struct events *events, const char *list, add_item *add, struct error *err)
{
	size_t length = event_words__item_length(list);
	int code = add(events, list, length, err);

	while (!code && list[length]) {
		list += length + 1;
		length = event_words__item_length(list);
		code = add(events, list, length, err);
	}
	return code;
}

/*
 * Adds an event or the events of a preset. An error of one of them names the preset, as the user
 * wrote only that.
 */
static int add_event_or_preset(struct events *events, const char *item, size_t length,
			       struct error *err)
{
	const struct preset *preset = preset__find(item, length);
	int code;

	if (!preset)
		return add_event(events, item, length, err);
	code = add_list(events, preset->events, add_event, err);
	return code ? error__remedy(err, "%s is -e %s", preset->name, preset->events) : 0;
}

int events__parse(struct events *events, const char *text, struct error *err)
{
	int code;

	*events = (struct events){0};
	code = add_list(events, text ? text : "cpu", add_event_or_preset, err);
	for (size_t i = 0; i < events->nr && !code; i++)
		code = check_needs(events, &events->list[i], err);
	if (code)
		events__free(events);
	return code;
}

static void free_event(struct event *event)
{
	if (event->source && event->source->forget)
		event->source->forget(event);
	event_words__free(&event->words);
	free(event->name);
	free(event->count_name);
}

void events__choose_sources(struct events *events, const struct capture_options *asked)
{
	for (size_t i = 0; i < events->nr; i++) {
		const struct source *source = events->list[i].source;
		const struct source *other =
			source->stand_in ? source->stand_in(&events->list[i], asked) : NULL;

		if (other)
			events->list[i].source = other;
	}
}

void events__free(struct events *events)
{
	size_t i;

	for (i = 0; i < events->nr; i++)
		free_event(&events->list[i]);
	*events = (struct events){0};
}
