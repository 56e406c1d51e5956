/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The grace period of programs that count themselves in and out of a generation
 * (kern/account/grace.bpf.h), because no read of a perf event's descriptor waits for them.
 */
#ifndef TOPSTACKS_CAPTURE_KERNEL_GRACE_H
#define TOPSTACKS_CAPTURE_KERNEL_GRACE_H

#include "base/common.h"
#include "topstacks/abi.h"

struct cpus;

struct grace {
	/* one for each CPU, shared with the programs; NULL: nothing to wait for */
	struct passage *rows;
	size_t nr_rows;
};

/*
 * Maps the passages map, whose descriptor is `map`, and which has nr_cpus rows. CPUs that are not
 * in cpus are closed to the programs. Returns 0 or negative errno.
 */
int grace__open(struct grace *grace, int map, size_t nr_cpus, const struct cpus *cpus,
		struct error *err);
void grace__close(struct grace *grace); /* zeroed is fine */

/*
 * Waits until no program works on this generation any more. Call it when another generation is
 * current, or when no program can start. Returns 0 or negative errno.
 */
int grace__wait(const struct grace *grace, uint32_t generation, struct error *err);

#endif
