// SPDX-License-Identifier: GPL-2.0-only
/* Why nothing was sampled, as far as the ledger tells. */
#include <math.h>
#include <stdio.h>

#include "base/numbers.h"
#include "views/events.h"
#include "views/summary.h"

#define LEAST_HZ 0.001 /* below, the rate is not known */

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

/* "607 were" */
static void describe_lost(const struct ledger *ledger, char *text, size_t size)
{
	const uint64_t nr = ledger__lost(ledger);
	char number[32];

	text__format_count(number, sizeof(number), nr);
	snprintf(text, size, "%s %s", number, nr == 1 ? "was" : "were");
}

static bool is_live(const struct recording *interval)
{
	return metric__equal(&profile__metrics(interval->profile)->of[VALUE_WEIGHT],
			     &metrics__live.of[VALUE_WEIGHT]);
}

void summary__explain_silence(const struct recording *interval, char *text, size_t size)
{
	const struct ledger *ledger = &interval->ledger;
	char lost[48];

	describe_lost(ledger, lost, sizeof(lost));
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
	else if (is_live(interval))
		snprintf(text, size,
			 "no samples: of what was sampled nothing is allocated any more");
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
