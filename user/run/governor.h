/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which rate keeps our own CPU time below a bound. It only lowers the rate, and has no clock of its
 * own: it is told what time it is.
 */
#ifndef TOPSTACKS_RUN_GOVERNOR_H
#define TOPSTACKS_RUN_GOVERNOR_H

#include <stdint.h>

struct governor {
	double max_share;  /* of one CPU; 0: no bound */
	uint64_t since_ns; /* begin of the window that is being judged */
	uint64_t used_ns;  /* CPU time used until then */
	unsigned int nr_windows;
};

/*
 * The rate from now on: rate_hz, or a lower one. now_ns: any clock's time; used_ns: CPU time used
 * so far, which may have begun anywhere.
 */
double governor__rate(struct governor *governor, double rate_hz, uint64_t now_ns, uint64_t used_ns);

#endif
