// SPDX-License-Identifier: GPL-2.0-only
/* Reasons why nothing was sampled, as far as the ledger shows them. */
#include <math.h>

#include "profile/recording.h"
#include "views/events.h"
#include "views/summary.h"

#define LEAST_HZ 0.001 /* lower rates mean that the rate is not known */

static void explain_no_time(const struct recording *interval, char *text, size_t size)
{
	const struct ledger *ledger = &interval->ledger;
	char ran[32], period[32];

	text__format_duration(ran, sizeof(ran), ledger->ran_ns);
	text__format_duration(period, sizeof(period),
			      (uint64_t)(1e9 / fmax(interval->asked_hz, LEAST_HZ)));
	if (!ledger->ran_ns)
		snprintf(text, size, "no samples: the target did not run");
	else if (ledger__lost(ledger) || interval->asked_hz < LEAST_HZ)
		snprintf(text, size, "no samples, although the target ran for %s", ran);
	else
		snprintf(text, size,
			 "no samples: the target ran for %s (one is due every %s; raise -F, or "
			 "sample for longer)",
			 ran, period);
}

/*
 * No block: live blocks are the sampled ones that still exist, and a few bytes may not be hit by a
 * sample.
 */
static void explain_no_block(const struct recording *interval, char *text, size_t size)
{
	const struct metric *shown = metrics__shown(profile__metrics(interval->profile));
	char allocated[32], period[32];

	metric__format(shown, interval->ledger.allocated, allocated, sizeof(allocated));
	metric__format(shown, interval->period, period, sizeof(period));
	if (!interval->ledger.allocated)
		snprintf(text, size, "no samples: nothing that was sampled is still allocated");
	else
		snprintf(text, size,
			 "no samples: %s were allocated, and one is due every %s; lower "
			 "--alloc-every, or sample for longer",
			 allocated, period);
}

void summary__explain_silence(const struct recording *interval, char *text, size_t size)
{
	const struct ledger *ledger = &interval->ledger;
	const struct metric *shown = metrics__shown(profile__metrics(interval->profile));
	const bool lacks_blocks = heap__has_blocks(interval) &&
				  (ledger->allocated || !strcmp(shown->name, "inuse_space"));
	char lost[48];
	const uint64_t nr = ledger__lost(ledger);
	char number[32];

	text__format_count(number, sizeof(number), nr);
	snprintf(lost, sizeof(lost), "%s %s", number, nr == 1 ? "was" : "were");
	if (!interval->has_ledger)
		snprintf(text, size, "no samples: none of what there is, is of these processes");
	else if (ledger->counted)
		snprintf(text, size, "no sample is selected");
	else if (event__lost_of_others(interval))
		snprintf(text, size,
			 "no samples: the target had no such event that is known of; %s lost, "
			 "perhaps of other processes",
			 lost);
	else if (ledger__lost(ledger) && (ledger->ran_unmeasured || !ledger->ran_ns))
		snprintf(text, size, "no samples: all were lost");
	else if (lacks_blocks)
		explain_no_block(interval, text, size);
	else if (event__is_counted(interval))
		snprintf(text, size, "no samples: the target had no such event");
	else if (ledger->ran_unmeasured && !event__covers_time(interval))
		snprintf(text, size, "no samples");
	else if (ledger->ran_unmeasured)
		snprintf(text, size,
			 "no samples: the target did not run on the CPUs of -C, or too briefly");
	else
		explain_no_time(interval, text, size);
}
