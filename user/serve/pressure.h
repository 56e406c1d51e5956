/* SPDX-License-Identifier: GPL-2.0-only */
/* How long tasks have waited for a resource, by the kernel's own account of pressure (PSI, Linux 4.20). */
#ifndef TOPSTACKS_SERVE_PRESSURE_H
#define TOPSTACKS_SERVE_PRESSURE_H

#include <stdint.h>

#include "serve/rule.h"

#define PRESSURE_CGROUPS "/sys/fs/cgroup" /* where they are mounted, for context */

/*
 * Time in which some task waited, in microseconds since the kernel counts. context: a string, where cgroups
 * are mounted, such as "/sys/fs/cgroup"; cgroup: its path below that, "": of the whole machine. 0, or
 * negative errno: -EPROTO, what is there is no such account.
 */
int pressure__read(void *context, enum rule_measure measure, const char *cgroup,
		   uint64_t *total_us);

#endif
