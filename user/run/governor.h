/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which pace keeps our own CPU time below a bound. It only slows down, and has no clock of its own: it
 * is told what time it is.
 */
#ifndef TOPSTACKS_RUN_GOVERNOR_H
#define TOPSTACKS_RUN_GOVERNOR_H

#include <stdint.h>

#include "capture/pace.h"

struct governor {
	double max_share;  /* of one CPU; 0: no bound */
	uint64_t since_ns; /* begin of the window that is being judged */
	uint64_t used_ns;  /* CPU time used until then */
	unsigned int nr_windows;
};

/*
 * The pace from now on: the same, or a lower rate, and fewer samples of what is counted. What there is
 * none of (0) stays so. now_ns: any clock's time; used_ns: CPU time used so far, which may have begun
 * anywhere.
 */
struct pace governor__pace(struct governor *governor, struct pace pace, uint64_t now_ns,
			   uint64_t used_ns);

#endif
