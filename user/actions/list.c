// SPDX-License-Identifier: GPL-2.0-only
#include "actions/list.h"

#include "capture/events/event_list.h"
#include "capture/events/suggestions.h"

#define NAME_COLUMNS 40
#define MEANING_MOST 160

static const char *const titles[OFFER_GROUPS] = {
	[OFFERS_CPU] = "CPU time",
	[OFFERS_WAITS] = "Waits, in time; one of them at a time",
	[OFFERS_MEMORY] = "Memory, of a command or by -p; with --live what is still allocated, too",
	[OFFERS_PRESETS] = "Several events under one name",
	[OFFERS_SOFTWARE] = "Software events: each one is counted",
	[OFFERS_HARDWARE] = "Hardware events: sampled at the rate of -F",
	[OFFERS_PMU] = "Events of devices that count (PMUs)",
	[OFFERS_PROBES] = "Probes of programs, by a path, or with -p the name of a library",
	[OFFERS_TRACEPOINTS] =
		"Tracepoints: each hit is counted, or weighs a field (/weight=FIELD/)",
};

struct listing {
	FILE *out;
	const char *pattern;
	enum offer_group group; /* group whose title was printed last */
	size_t nr_printed;
	struct suggestions near; /* similar names, if no event matches */
	char lack[512];		 /* why there are no tracepoints */
};

static void begin_group(struct listing *listing, enum offer_group group)
{
	if (group == listing->group)
		return;
	fprintf(listing->out, "%s%s\n", listing->group == OFFER_GROUPS ? "" : "\n", titles[group]);
	listing->group = group;
}

/* Prints " sched:sched_switch a thread is put off its CPU, whose stack it is". */
static void print_offer(void *context, enum offer_group group, const char *name,
			const char *meaning)
{
	struct listing *listing = context;
	size_t columns;

	begin_group(listing, group);
	fputs("  ", listing->out);
	columns = text__print_safe(listing->out, name, 0);
	if (*meaning)
		fprintf(listing->out, "%*s",
			columns < NAME_COLUMNS ? (int)(NAME_COLUMNS - columns) + 2 : 2, "");
	text__print_safe(listing->out, meaning, MEANING_MOST);
	fputc('\n', listing->out);
	listing->nr_printed++;
}

/*
 * Prints why a group is incomplete, unless a pattern was given. For tracepoints it is never hidden:
 * printed if the pattern matched, else kept for the error.
 */
static void print_lack(void *context, enum offer_group group, const char *why)
{
	struct listing *listing = context;

	if (group == OFFERS_TRACEPOINTS)
		snprintf(listing->lack, sizeof(listing->lack), "%s", why);
	if (listing->pattern && !(group == OFFERS_TRACEPOINTS && listing->nr_printed))
		return;
	begin_group(listing, group);
	fputs("  ", listing->out);
	text__print_safe(listing->out, why, 0);
	fputc('\n', listing->out);
}

static void note_near(void *context, enum offer_group group, const char *name, const char *meaning)
{
	struct listing *listing = context;

	(void)group, (void)meaning;
	suggestions__add(&listing->near, name, listing->pattern, 0);
}

static void ignore_lack(void *context, enum offer_group group, const char *why)
{
	(void)context, (void)group, (void)why;
}

int list__print(FILE *out, const char *pattern, struct error *err)
{
	struct listing listing = {.out = out, .pattern = pattern, .group = OFFER_GROUPS};
	const struct offer_sink sink = {&listing, print_offer, print_lack};
	const struct offer_sink near_sink = {&listing, note_near, ignore_lack};
	struct quoted quoted;
	char names[256];
	int code = event_list__tell(pattern, &sink, err);

	if (code || listing.nr_printed)
		return code ? code : EXIT_DONE;
	code = event_list__tell(NULL, &near_sink, err);
	if (!code) {
		suggestions__format(&listing.near, "; near: ", names, sizeof(names));
		code = error__say(err, EXIT_USAGE, -ENOENT, "no event here matches %s%s",
				  quote(&quoted, pattern), names);
		if (*listing.lack)
			error__remedy(err, "%s", listing.lack);
	}
	suggestions__fini(&listing.near);
	return code;
}
