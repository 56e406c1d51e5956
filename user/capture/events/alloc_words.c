// SPDX-License-Identifier: GPL-2.0-only
#include "capture/events/alloc_words.h"

#include "capture/events/event.h"
#include "capture/events/source.h"

int alloc_words__parse(struct event *event, const char *name, const struct metrics *metrics,
		       struct error *err)
{
	struct event_words but_period = event->words;
	struct quoted quoted;

	if (strcmp(event->words.name, name))
		return 0;
	but_period.period = 0;
	if (!event_words__are_bare(&but_period) || event->words.period > ALLOC_MOST_BYTES)
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "-e %s takes period=BYTES alone, up to 1 TiB, not %s", name,
				  quote(&quoted, event->words.said));
	event->name = xstrdup(name);
	event->metrics = *metrics;
	event->period = alloc_words__mean_bytes(event);
	return 1;
}

uint64_t alloc_words__mean_bytes(const struct event *event)
{
	return event->words.period ? event->words.period : ALLOC_MEAN_BYTES;
}

uint64_t alloc_words__mean_of(const struct events *events)
{
	for (size_t i = 0; i < events->nr; i++)
		if (events->list[i].source == &alloc_source)
			return alloc_words__mean_bytes(&events->list[i]);
	return 0;
}

static bool is_alloc(const char *item, size_t length)
{
	return !strncmp(item, "alloc", 5) && (length == 5 || item[5] == '/');
}

/* Writes an alloc item under another name. An explicit period stays. */
static void write_alloc(FILE *out, const char *name, const char *item, size_t length,
			uint64_t mean_bytes)
{
	fputs(name, out);
	if (length > 5)
		fwrite(item + 5, 1, length - 5, out);
	else if (mean_bytes)
		fprintf(out, "/period=%llu/", (unsigned long long)mean_bytes);
}

static bool write_all(FILE *out, const char *text, uint64_t mean_bytes, bool live)
{
	bool any = false;
	size_t length;

	for (const char *item = text;; item += length + 1) {
		length = event_words__item_length(item);
		if (is_alloc(item, length)) {
			any = true;
			if (live) {
				write_alloc(out, "live", item, length, mean_bytes);
				fputc(',', out);
			}
			write_alloc(out, "alloc", item, length, mean_bytes);
		} else {
			fwrite(item, 1, length, out);
		}
		if (!item[length])
			return any;
		fputc(',', out);
	}
}

char *alloc_words__complete(const char *text, uint64_t mean_bytes, bool live, struct error *err)
{
	char *complete = NULL;
	size_t size;
	FILE *out = xmemstream(&complete, &size);
	const bool any = write_all(out, text ? text : "cpu", mean_bytes, live);

	xfclose(out);
	if (any)
		return complete;
	error__say(err, EXIT_USAGE, -EINVAL, "%s is for allocations: add -e alloc",
		   live ? "--live" : "--alloc-every");
	free(complete);
	return NULL;
}
