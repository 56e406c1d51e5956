/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The state of a thread in a sample, or in the time that the sample stands for: it ran, or it did
 * not, and why. And the kinds of waits that people know.
 */
#ifndef TOPSTACKS_PROFILE_WAIT_H
#define TOPSTACKS_PROFILE_WAIT_H

#include "base/common.h"
#include "topstacks/waits.h"

static inline enum wait_state wait__state(uint32_t wait)
{
	return (enum wait_state)(wait & 15);
}

static inline enum wait_kind wait__kind(uint32_t wait)
{
	return (enum wait_kind)(wait >> WAIT_KIND_SHIFT & 63);
}

/*
 * "running", "interruptible", "uninterruptible", "disk", "preempted", "woken", "throttled",
 * "stopped"; "lock", "disk", ...: every output uses these words. "" for WAIT_UNKNOWN and
 * WAIT_FOR_NOTHING.
 */
const char *wait_state__name(enum wait_state state);
const char *wait_kind__name(enum wait_kind kind);

/*
 * The state in the words of --state: "blocked" for all states in which a thread waits for something
 * to happen.
 */
const char *wait_state__word(enum wait_state state);

/* The state or kind of that name; WAIT_UNKNOWN and WAIT_FOR_NOTHING: no such name. NULL is fine. */
enum wait_state wait_state__find(const char *name);
enum wait_kind wait_kind__find(const char *name);

/*
 * The word for a wait: its kind, "lock"; without a kind (running, preempted, stopped) its state,
 * "preempted"; "" if it is no wait.
 */
const char *wait__describe(uint32_t wait);

/* The wanted waits. Zeroed: all. */
struct wait_choice {
	uint32_t states, kinds; /* bits by enum; 0: all of them */
};

/*
 * Adds the arguments of --state and --wait: "blocked,preempted", "!poll,!sleep". NULL: none. 0, or
 * -EINVAL with err filled.
 */
int wait_choice__parse(struct wait_choice *choice, const char *states, const char *kinds,
		       struct error *err);

bool wait_choice__is_all(const struct wait_choice *choice);
bool wait_choice__has(const struct wait_choice *choice, uint32_t wait);

#endif
