/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which samples of a recording are wanted: by what is in their stacks, by whose they are, by what they
 * waited for, and by when.
 */
#ifndef TOPSTACKS_PROFILE_SELECT_CHOICE_H
#define TOPSTACKS_PROFILE_SELECT_CHOICE_H

#include <stdbool.h>

#include "base/error.h"
#include "base/options/options.h"
#include "profile/recording.h"

/* What is NULL or 0 is not asked for. */
struct choice {
	const char *focus,
		*ignore; /* extended regular expressions: of a function or module of the stack */
	struct name_list comms; /* of processes, as shell patterns; any of them will do, as below */
	unsigned int pid, tid;
	struct name_list cgroups;    /* paths, and all below them */
	struct name_list containers; /* as container__matches() has it */
	const char *wait, *state;    /* kinds and states of waits, as wait_choice__parse() has it */
	const char *time; /* "10-20": seconds from the start; "10-" and "-20" have no other end */
	double from_s, to_s; /* the same; to_s: 0: the end */
};

/* It is about what samples waited for. */
bool choice__is_of_waits(const struct choice *choice);

/* It is about when they were taken. */
bool choice__is_of_time(const struct choice *choice);

bool choice__is_all(const struct choice *choice);

/* A process is called so, by a shell pattern; a cgroup's path (NULL: not known) is this one or below it. */
bool choice__has_comm(const struct process *process, const char *pattern);
bool choice__is_below(const char *path, const char *cgroup);

/*
 * Leaves only these samples, whenever they were taken, in the slices too. The ledger, being of all samples, stays.
 * 0, or negative errno with err filled: -EINVAL, what is asked for cannot be; -ENOMEM.
 */
int recording__choose(struct recording *recording, const struct choice *choice, struct error *err);

/*
 * Cuts the time out that is asked for, if any is, to whole slices: what is left is a recording that begins when
 * the first one does, and no whole run. The ledger stays. -EINVAL: nothing was recorded then, or nobody knows
 * when; -ENOMEM.
 */
int recording__choose_time(struct recording *recording, const struct choice *choice,
			   struct error *err);

/* Those of a profile's samples whose waits are chosen, in the same dictionary. NULL: out of memory. */
struct profile *profile__choose_waits(const struct profile *profile,
				      const struct wait_choice *waits);

#endif
