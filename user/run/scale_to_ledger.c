// SPDX-License-Identifier: GPL-2.0-only
#include "run/scale_to_ledger.h"

#include "processes/process.h"
#include "profile/dictionary.h"
#include "profile/ledger.h"
#include "profile/profile.h"

#define RUNNING	 (1U << WAIT_RUNNING)
#define RUNNABLE (1U << WAIT_PREEMPTED | 1U << WAIT_WOKEN | 1U << WAIT_THROTTLED)
#define BLOCKED                                                                    \
	(1U << WAIT_INTERRUPTIBLE | 1U << WAIT_UNINTERRUPTIBLE | 1U << WAIT_DISK | \
	 1U << WAIT_STOPPED)

/*
 * Scales the samples of a set of states to ns. Time without a sample becomes one without a stack,
 * in the given state.
 */
static void fit(struct profile *profile, uint32_t states, enum wait_state state, uint64_t ns)
{
	static const struct process unknown = {.comm = "[unknown]"};
	static const struct frame frame = {.kind = FRAME_USER, .function = "[not sampled]"};
	struct dictionary *dictionary = profile__dictionary(profile);
	struct sample sample = {.wait = WAIT(state, WAIT_FOR_NOTHING),
				.values = {[VALUE_WEIGHT] = ns}};
	uint32_t only;

	if (profile__fit(profile, states, ns) || !ns)
		return;
	only = dictionary__add_frame(dictionary, &frame);
	sample.process = dictionary__add_process(dictionary, &unknown);
	sample.stack = dictionary__add_stack(dictionary, &only, 1);
	profile__add(profile, &sample);
}

void scale_to_ledger__profile(struct profile *profile, const struct ledger *ledger,
			      bool has_running, bool is_thinned)
{
	if (!ledger__has_wall(ledger))
		return;
	if (is_thinned && !ledger->unplaced_ns && !ledger->filtered) {
		fit(profile, RUNNABLE, WAIT_WOKEN, ledger->runnable_ns);
		fit(profile, BLOCKED, WAIT_INTERRUPTIBLE, ledger->blocked_ns);
	}
	if (has_running)
		fit(profile, RUNNING, WAIT_RUNNING, ledger->running_ns);
}
