// SPDX-License-Identifier: GPL-2.0-only
#include "capture/probe_facts.h"

#include <errno.h>
#include <inttypes.h>
#include <unistd.h>

#include "capture/event.h"
#include "capture/event_facts.h"
#include "capture/instruction.h"
#include "capture/probe.h"
#include "capture/probe_place.h"
#include "capture/tracepoint.h"
#include "readers/readers.h"

/* With a reader of its own. place->file is closed again. */
static int find(const struct uprobe *probe, struct probe_place *place, struct error *err)
{
	struct readers *readers;
	int file, code = readers__start(&readers, jobs__find);

	if (code)
		return error__set(err, EXIT_SYSTEM, code, "cannot start a reader of files");
	file = probe_place__open_file(probe, NULL, 0, err);
	code = file < 0 ? file : probe_place__find(place, probe, file, readers, err);
	if (file >= 0)
		close(file);
	readers__stop(readers);
	return code;
}

int probe_facts__try(const struct event *event, struct error *err)
{
	struct probe_place place;

	return find(event->probe, &place, err);
}

static void tell_place(const struct uprobe *probe, const struct probe_place *place,
		       const struct event_fact_sink *sink)
{
	char text[96];

	instruction__text(place->code, sizeof(place->code), text, sizeof(text));
	event_facts__add(sink, "address", "%s+%zu, byte 0x%" PRIx64 " of the file", probe->symbol,
			 place->of_function.offset, place->offset);
	event_facts__add(sink, "instruction", "%s: the kernel %s", text,
			 place->of_function.is_emulated
				 ? "emulates it, a hit takes about 1 us"
				 : "runs it in single steps, a hit takes some 2 us, in a virtual "
				   "machine 10 us");
}

void probe_facts__tell(const struct event *event, const struct event_fact_sink *sink)
{
	struct probe_place place;
	struct error err;

	event_facts__add(
		sink, "a sample", "each %s%s", event->probe->is_of_returns ? "return" : "hit",
		event->tracepoint->settings.nr_conditions ? " that meets the conditions" : "");
	if (!find(event->probe, &place, &err))
		tell_place(event->probe, &place, sink);
	event_facts__add(
		sink, "opened as",
		"a uprobe of perf's for each process, children's when their fork is heard of");
	event_facts__add(sink, "ledger",
			 "hits that the program saw; children's time without a probe");
}
