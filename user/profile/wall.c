// SPDX-License-Identifier: GPL-2.0-only
/* The account of what threads did in their time, in numbers and in words. */
#include "profile/ledger.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/numbers.h"

#define TOLERANCE_PER_SWITCH_NS 10000
#define TOLERANCE_DIVISOR	200 /* 0.5 % */
#define UNKNOWN_DIVISOR		100 /* of all time: a thread's first instants are nobody's concern */

bool ledger__has_wall(const struct ledger *ledger)
{
	return ledger->wall_ns > 0;
}

int64_t ledger__wall_error_ns(const struct ledger *ledger)
{
	return (int64_t)(ledger->wall_ns - ledger->running_ns - ledger->runnable_ns -
			 ledger->blocked_ns - ledger->unknown_ns);
}

/*
 * How far our account may be from the scheduler's: 0.5 % of the larger one and 10 us a switch,
 * since threads that wait for a CPU pass between clocks of several.
 */
static uint64_t tolerance_ns(const struct ledger *ledger, uint64_t ours_ns, uint64_t theirs_ns)
{
	return (ours_ns > theirs_ns ? ours_ns : theirs_ns) / TOLERANCE_DIVISOR +
	       ledger->switches * TOLERANCE_PER_SWITCH_NS;
}

/* What is too small to be seen beside the others is told by its own digits. */
int ledger__wall_line(const struct ledger *ledger, char *text, size_t size)
{
	const int64_t error_ns = ledger__wall_error_ns(ledger);
	char wall[32], running[32], runnable[32], blocked[32], unknown[32], off[64] = "";

	if (!ledger__has_wall(ledger))
		return 0;
	text__format_duration(wall, sizeof(wall), ledger->wall_ns);
	text__format_duration(running, sizeof(running), ledger->running_ns);
	text__format_duration(runnable, sizeof(runnable), ledger->runnable_ns);
	text__format_duration(blocked, sizeof(blocked), ledger->blocked_ns);
	text__format_duration(unknown, sizeof(unknown), ledger->unknown_ns);
	if (error_ns)
		snprintf(off, sizeof(off), "; OFF BY %" PRId64 " ns", error_ns);
	return snprintf(text, size,
			"%s of threads = %s running + %s runnable + %s blocked + %s unknown%s",
			wall, running, runnable, blocked, unknown, off);
}

static bool is_close(const struct ledger *ledger, uint64_t ours_ns, uint64_t theirs_ns)
{
	const uint64_t off_ns = ours_ns > theirs_ns ? ours_ns - theirs_ns : theirs_ns - ours_ns;

	return off_ns <= tolerance_ns(ledger, ours_ns, theirs_ns);
}

/* What the scheduler has let them run is known to have been so much more, and so much less. */
bool ledger__scheduler_agrees(const struct ledger *ledger)
{
	return is_close(ledger, ledger->running_ns + ledger->overcredited_ns,
			ledger->scheduled_ns + ledger->uncredited_ns) &&
	       is_close(ledger, ledger->runnable_ns, ledger->delayed_ns);
}

int ledger__scheduler_line(const struct ledger *ledger, char *text, size_t size)
{
	char ran[32], waited[32], uncredited[32], overcredited[32], credit[96] = "";
	char switches[32];

	if (!ledger__has_wall(ledger))
		return 0;
	text__format_duration(ran, sizeof(ran), ledger->scheduled_ns);
	text__format_duration(waited, sizeof(waited), ledger->delayed_ns);
	text__format_duration(uncredited, sizeof(uncredited), ledger->uncredited_ns);
	text__format_duration(overcredited, sizeof(overcredited), ledger->overcredited_ns);
	text__format_count(switches, sizeof(switches), ledger->switches);
	if (ledger->uncredited_ns || ledger->overcredited_ns)
		snprintf(credit, sizeof(credit), " + %s uncredited - %s of others", uncredited,
			 overcredited);
	return snprintf(text, size, "%s ran%s, %s waited to run; %s 0.5 %% and 10 us a switch (%s)",
			ran, credit, waited,
			ledger__scheduler_agrees(ledger) ? "agrees within" : "DIFFERS by more than",
			switches);
}

int ledger__notice_wall(const struct ledger *ledger, const struct ledger_subject *subject,
			size_t nth, char *text, size_t size)
{
	const struct {
		uint64_t ns;
		const char *what;
	} notices[] = {
		{ledger->unplaced_ns,
		 "of waits in no sample, since the maps were full: raise --max-memory"},
		{ledger->unknown_ns > ledger->wall_ns / UNKNOWN_DIVISOR ? ledger->unknown_ns : 0,
		 "of threads unknown: they began before they were watched, as children do that are "
		 "born while processes are looked for; of a longer time it is a smaller part"},
	};
	char duration[32];

	(void)subject;
	for (size_t i = 0; i < sizeof(notices) / sizeof(notices[0]); i++) {
		if (!notices[i].ns || nth--)
			continue;
		text__format_duration(duration, sizeof(duration), notices[i].ns);
		return snprintf(text, size, "%s %s", duration, notices[i].what);
	}
	if (size)
		*text = '\0';
	return 0;
}
