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

static int add_unsampled(struct profile *profile, enum wait_state state, uint64_t weight)
{
	static const struct process nobody = {.comm = "[unknown]"};
	static const struct frame frame = {.kind = FRAME_USER, .function = "[not sampled]"};
	struct dictionary *dictionary = profile__dictionary(profile);
	const uint32_t only = dictionary__add_frame(dictionary, &frame);
	const struct sample sample = {
		.process = dictionary__add_process(dictionary, &nobody),
		.stack = only == ID_NONE ? ID_NONE : dictionary__add_stack(dictionary, &only, 1),
		.wait = WAIT(state, WAIT_FOR_NOTHING),
		.values = {[VALUE_WEIGHT] = weight},
	};

	if (sample.process == ID_NONE || sample.stack == ID_NONE)
		return -ENOMEM;
	return profile__add(profile, &sample);
}

/*
 * Scales the samples of a set of states to ns. state: where the time goes if no sample has one of
 * them. 0 or -ENOMEM.
 */
static int fit(struct profile *profile, uint32_t states, enum wait_state state, uint64_t ns)
{
	if (profile__fit(profile, states, ns) || !ns)
		return 0;
	return add_unsampled(profile, state, ns);
}

int scale_to_ledger__profile(struct profile *profile, const struct ledger *ledger, bool has_running,
			     bool is_thinned)
{
	if (!ledger__has_wall(ledger))
		return 0;
	if (is_thinned && !ledger->unplaced_ns && !ledger->filtered &&
	    (fit(profile, RUNNABLE, WAIT_WOKEN, ledger->runnable_ns) ||
	     fit(profile, BLOCKED, WAIT_INTERRUPTIBLE, ledger->blocked_ns)))
		return -ENOMEM;
	return has_running ? fit(profile, RUNNING, WAIT_RUNNING, ledger->running_ns) : 0;
}
