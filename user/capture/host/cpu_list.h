/* SPDX-License-Identifier: GPL-2.0-only */
/* Lists of CPUs as the kernel writes them. */
#ifndef TOPSTACKS_CAPTURE_HOST_CPU_LIST_H
#define TOPSTACKS_CAPTURE_HOST_CPU_LIST_H

#include "base/common.h"

/*
 * Sets cpus[i] for each i in a list such as "0-3,6
 * ", and clears all others. CPUs from nr on are ignored.
 */
void cpu_list__parse(const char *text, bool *cpus, size_t nr);

#endif
