/* SPDX-License-Identifier: GPL-2.0-only */
/* The samples of a recording that the user wants: by their stacks, owners, waits and time. */
#ifndef TOPSTACKS_PROFILE_SELECT_CHOICE_H
#define TOPSTACKS_PROFILE_SELECT_CHOICE_H

#include "base/common.h"
#include "base/options/options.h"
#include "profile/recording.h"

/* NULL and 0 mean no condition. */
struct choice {
	const char *focus,
		/* Extended regular expressions of a function or module of the stack. */
		*ignore;
	/* shell patterns of process names; one must match, as in the lists below */
	struct name_list comms;
	unsigned int pid, tid;
	struct name_list cgroups;    /* paths; processes below them match, too */
	struct name_list containers; /* as for container__matches() */
	const char *wait, *state;    /* as for wait_choice__parse() */
	/* "10-20": seconds from the start; "10-" and "-20" are open at one end. */
	const char *time;
	/* The same as numbers; to_s: 0: the end. */
	double from_s, to_s;
};

/* A wait or a state is asked for. */
bool choice__is_of_waits(const struct choice *choice);

/* A time is asked for. */
bool choice__is_of_time(const struct choice *choice);

bool choice__is_all(const struct choice *choice);

/*
 * True if the name of a process matches a shell pattern; if a cgroup's path (NULL: not known) is
 * this cgroup or below it.
 */
bool choice__has_comm(const struct process *process, const char *pattern);
bool choice__is_below(const char *path, const char *cgroup);

/*
 * Leaves only the chosen samples, of any time, in the slices too. The ledger, which is of all
 * samples, stays. 0; or -EINVAL with err filled: a condition is invalid.
 */
int recording__choose(struct recording *recording, const struct choice *choice, struct error *err);

/*
 * Cuts the recording to the chosen time, if any, in whole slices. It then begins with the first
 * slice that is left, and is no whole run. The ledger stays. 0; -EINVAL with err filled: nothing
 * was recorded then, or the recording has no slices.
 */
int recording__choose_time(struct recording *recording, const struct choice *choice,
			   struct error *err);

#endif
