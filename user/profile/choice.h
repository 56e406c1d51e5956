/* SPDX-License-Identifier: GPL-2.0-only */
/* Which samples of a recording are wanted: by what is in their stacks, by whose they are, and by when. */
#ifndef TOPSTACKS_PROFILE_CHOICE_H
#define TOPSTACKS_PROFILE_CHOICE_H

#include <stdbool.h>

#include "base/error.h"
#include "profile/recording.h"

/* What is NULL or 0 is not asked for. */
struct choice {
	const char *focus,
		*ignore;  /* extended regular expressions: of a function or module of the stack */
	const char *comm; /* of the process, as a shell pattern */
	unsigned int pid, tid;
	const char *cgroup; /* a path, and all below it */
	const char *
		container; /* "docker:3f2a1b4c5d6e" or "3f2a": as it is shown, or how its id begins */
	const char *time; /* "10-20": seconds from the start; "10-" and "-20" have no other end */
};

bool choice__is_all(const struct choice *choice);

/*
 * Leaves only these samples, in the slices too. The ledger, being of all samples, stays. 0, or negative
 * errno with err filled: -EINVAL, what is asked for cannot be; -ENOMEM.
 */
int recording__choose(struct recording *recording, const struct choice *choice, struct error *err);

#endif
