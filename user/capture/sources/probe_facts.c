// SPDX-License-Identifier: GPL-2.0-only
#include "capture/sources/probe_facts.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "base/system/rights.h"
#include "capture/events/capture_options.h"
#include "capture/events/event.h"
#include "capture/events/event_facts.h"
#include "capture/events/probe.h"
#include "capture/events/source.h"
#include "capture/events/tracepoint.h"
#include "capture/probes/probe_cost.h"
#include "capture/probes/probe_place.h"
#include "processes/opener.h"
#include "readers/instruction.h"

/* Where the file is, as the kernel has it: a library is said by its name alone. */
static void add_file(const struct uprobe *probe, int file, const struct event_fact_sink *sink)
{
	const uint64_t before = rights__raise(RIGHTS_TO_LOOK);
	char link[32], path[PATH_MAX];
	ssize_t length;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", file);
	length = readlink(link, path, sizeof(path) - 1);
	rights__restore(before);
	if (length >= 0)
		path[length] = '\0';
	event_facts__add(sink, "file", "%s", length < 0 ? probe->file : path);
}

static void add_instruction(const struct probe_place *place, const struct event_fact_sink *sink)
{
	char text[64], bytes[3 * sizeof(place->code) + 1] = "";
	size_t i;

	for (i = 0; i < place->of_function.length && i < sizeof(place->code); i++)
		snprintf(bytes + 3 * i, 4, "%02x ", place->code[i]);
	instruction__text(place->code, sizeof(place->code), INSTRUCTION_ANYWHERE, text,
			  sizeof(text));
	event_facts__add(sink, "instruction", "%s %s", bytes, text);
}

static void add_cost(const struct probe_place *place, bool is_of_returns,
		     const struct event_fact_sink *sink)
{
	struct error err;
	double ns;

	event_facts__add(sink, "the kernel", "%s",
			 place->of_function.is_emulated ? "emulates this instruction"
							: "runs this instruction as a copy, in "
							  "single steps, which takes long");
	if (probe_cost__measure(place->of_function.is_emulated, is_of_returns, &ns, &err))
		event_facts__add(sink, "a hit costs", "unknown: %s", err.text);
	else
		event_facts__add(sink, "a hit costs", "%.1f us here%s, and the sample on top",
				 ns / 1000, is_of_returns ? ", with the call" : "");
}

static void add_place(const struct uprobe *probe, const struct probe_place *place,
		      const struct event_fact_sink *sink)
{
	event_facts__add(sink, "place", "%s+%#zx, at %#" PRIx64 " in the file", probe->symbol,
			 place->of_function.offset, place->offset);
	if (probe->has_offset && place->of_function.offset != probe->offset)
		event_facts__add(
			sink, "moved", "%s",
			"a nop of 5 bytes must have no probe: to the instruction behind it");
	add_instruction(place, sink);
	add_cost(place, probe->is_of_returns, sink);
}

static void tell_place(const struct uprobe *probe, const struct capture_options *asked,
		       struct opener *opener, const struct event_fact_sink *sink)
{
	struct probe_place place;
	struct error err;
	const int file =
		probe_place__open_file(probe, opener, asked->nr_ids ? asked->ids[0] : 0, &err);

	if (file < 0)
		return;
	add_file(probe, file, sink);
	if (!probe_place__find(&place, probe, file, asked->readers, &err))
		add_place(probe, &place, sink);
	close(file);
}

void probe_facts__tell(const struct event *event, const struct source_options *options,
		       const struct event_fact_sink *sink)
{
	struct opener *opener = opener__new(options->asked->openers);

	if (opener)
		tell_place(event->probe, options->asked, opener, sink);
	opener__free(opener);
	event_facts__add_hits(sink, event, event->probe->is_of_returns ? "return" : "hit");
	event_facts__add(sink, "ledger", "%s",
			 "hits that the program saw; how long children were without a probe");
}
