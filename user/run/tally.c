// SPDX-License-Identifier: GPL-2.0-only
#include "run/tally.h"

#include <errno.h>

#include "base/shortage.h"
#include "capture/events/sample.h"
#include "profile/ledger.h"
#include "run/symbolizer.h"

/* The kernel counted this sample of the idle task: only the names tell that it did no work. */
static void move_to_idle(struct ledger *ledger, const struct raw_sample *raw)
{
	ledger->counted -= raw->count;
	ledger->idle += raw->count;
	ledger->sampled_ns -= raw->weight;
}

static void add_quality(struct ledger *ledger, const struct symbolized_stack *named, uint64_t count)
{
	switch (named->quality) {
	case STACK_WHOLE:
		ledger->whole += count;
		break;
	case STACK_TRUNCATED:
		ledger->cut[named->cut] += count;
		break;
	case STACK_EARLY:
		ledger->early += count;
		/* fallthrough */
	case STACK_UNVERIFIED:
		ledger->unverified += count;
		break;
	}
}

/* why: as symbols__resolve(). */
static void add_unread(struct ledger *ledger, int why, uint64_t count)
{
	if (why == -EMFILE || why == -ENFILE)
		ledger->unread_descriptors += count;
	else if (shortage__is(why))
		ledger->unread_processes += count;
	else if (why == -EACCES)
		ledger->unread_refused += count;
	else if (why)
		ledger->unread += count;
}

bool tally__sample(struct ledger *ledger, const struct raw_sample *raw,
		   const struct symbolized_stack *named)
{
	if (named->is_idle) {
		move_to_idle(ledger, raw);
		return false;
	}
	if (raw->missing < 0) {
		add_quality(ledger, named, raw->count);
		ledger->unmapped += named->is_unmapped ? raw->count : 0;
		add_unread(ledger, named->unread, raw->count);
	}
	return true;
}
