// SPDX-License-Identifier: GPL-2.0-only
#include "capture/sources/tracepoint_facts.h"

#include <stdio.h>

#include "capture/events/event.h"
#include "capture/events/event_facts.h"
#include "capture/events/tracepoint.h"
#include "capture/events/tracepoint_terms.h"
#include "capture/host/features.h"

/* "bytes u32 (bytes)", "call_site address", "rwbs (no number)" */
static void write_field(FILE *out, const struct tracepoint_field *field)
{
	const char *unit = tracepoint_terms__known_unit(field->name);

	fputs(field->name, out);
	if (field->shape == SHAPE_ADDRESS)
		fputs(" address", out);
	else if (field->shape == SHAPE_NUMBER)
		fprintf(out, " %c%u", field->is_signed ? 's' : 'u', 8U * field->size);
	else
		fputs(" (no number)", out);
	if (field->shape == SHAPE_NUMBER && unit)
		fprintf(out, " (%s)", unit);
}

static void add_fields(const struct tracepoint *tracepoint, const struct event_fact_sink *sink)
{
	char text[4096] = "";
	FILE *out = fmemopen(text, sizeof(text), "w");
	const char *separator = "";
	size_t i;

	if (!out)
		return;
	for (i = 0; i < tracepoint->nr_fields; i++) {
		if (tracepoint->fields[i].shape == SHAPE_COMMON)
			continue;
		fputs(separator, out);
		write_field(out, &tracepoint->fields[i]);
		separator = ", ";
	}
	fclose(out);
	text[sizeof(text) - 1] = '\0';
	event_facts__add(sink, "fields", "%s", *text ? text : "none");
}

void tracepoint_facts__tell(const struct event *event, const struct event_fact_sink *sink)
{
	event_facts__add_hits(sink, event, "hit");
	if (event->words.weight)
		event_facts__add(sink, "weight", "%s, in %s", event->words.weight,
				 event->metrics.of[VALUE_WEIGHT].unit);
	add_fields(event->tracepoint, sink);
	event_facts__add(sink, "ledger", "%s",
			 features__has(FEATURE_MISSED_HITS)
				 ? "hits that the program saw, and those that the kernel "
				   "kept from it"
				 : "hits that the program saw; what it did not see, this "
				   "kernel does not count");
}
