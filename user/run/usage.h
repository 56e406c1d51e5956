/* SPDX-License-Identifier: GPL-2.0-only */
/* What this process itself uses. */
#ifndef TOPSTACKS_RUN_USAGE_H
#define TOPSTACKS_RUN_USAGE_H

#include <stdint.h>

#include "profile/interval.h"

struct usage {
	uint64_t user_ns, system_ns; /* CPU of all threads, so far */
	uint64_t program_runs, program_ns;
};

void usage__read(struct usage *usage);

/* CPU since start, memory now; kernel_bytes is left alone. */
void usage__cost(const struct usage *start, struct cost *cost);

#endif
