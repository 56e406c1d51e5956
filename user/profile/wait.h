/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a thread did while a sample of it was taken, or in the time that the sample stands for: it ran, or it
 * did not, and why. And the kinds of waits that people know.
 */
#ifndef TOPSTACKS_PROFILE_WAIT_H
#define TOPSTACKS_PROFILE_WAIT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
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
 * "running", "interruptible", "uninterruptible", "disk", "preempted", "woken", "throttled", "stopped"; "lock", "disk", ...:
 * the words of every output. WAIT_UNKNOWN and WAIT_FOR_NOTHING have none: "".
 */
const char *wait_state__name(enum wait_state state);
const char *wait_kind__name(enum wait_kind kind);

/* The same, by the words of --state: "blocked" of whatever kept it from running on until something happens. */
const char *wait_state__word(enum wait_state state);

/* The one of that name; WAIT_UNKNOWN and WAIT_FOR_NOTHING: there is none. NULL is fine. */
enum wait_state wait_state__find(const char *name);
enum wait_kind wait_kind__find(const char *name);

/* "lock" of a wait for one; of who did not wait, or was stopped, the state: "preempted". "": it is no wait. */
const char *wait__describe(uint32_t wait);

/* Which waits are wanted. Zeroed: all. */
struct wait_choice {
	uint32_t states, kinds; /* bits by enum; 0: all of them */
};

/*
 * Adds what --state and --wait say: "blocked,preempted", "!poll,!sleep". NULL: nothing. 0, or
 * -EINVAL with err filled.
 */
int wait_choice__parse(struct wait_choice *choice, const char *states, const char *kinds,
		       struct error *err);

bool wait_choice__is_all(const struct wait_choice *choice);
bool wait_choice__has(const struct wait_choice *choice, uint32_t wait);

#endif
