/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The grace period of programs that count themselves in and out of a generation (kern/account/grace.bpf.h):
 * those that no read of a perf event's descriptor waits for.
 */
#ifndef TOPSTACKS_CAPTURE_KERNEL_GRACE_H
#define TOPSTACKS_CAPTURE_KERNEL_GRACE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "topstacks/abi.h"

struct cpus;

struct grace {
	struct passage *rows; /* a CPU each, shared with the programs; NULL: nothing to wait for */
	size_t nr_rows;
};

/*
 * map: a descriptor of the passages map, of nr_cpus rows. CPUs that are not wanted are closed to the
 * programs. 0 or negative errno.
 */
int grace__open(struct grace *grace, int map, size_t nr_cpus, const struct cpus *cpus,
		struct error *err);
void grace__close(struct grace *grace); /* zeroed is fine */

/*
 * When it returns, no program works on this generation any more. To be called when another one is current,
 * or when no program begins any more. 0 or negative errno.
 */
int grace__wait(const struct grace *grace, uint32_t generation, struct error *err);

#endif
