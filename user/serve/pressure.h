/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads how long tasks have waited for a resource, from the kernel's pressure accounting (PSI,
 * Linux 4.20).
 */
#ifndef TOPSTACKS_SERVE_PRESSURE_H
#define TOPSTACKS_SERVE_PRESSURE_H

#include "base/common.h"
#include "serve/rule.h"

#define PRESSURE_CGROUPS "/sys/fs/cgroup" /* default mount point, for context */

/*
 * Reads the time in which some task waited, in microseconds since boot. context: the mount point of
 * cgroups, a string; cgroup: a path below it, "": the whole machine. 0, or negative errno; -EPROTO:
 * the file has another format.
 */
int pressure__read(void *context, enum rule_measure measure, const char *cgroup,
		   uint64_t *total_us);

#endif
