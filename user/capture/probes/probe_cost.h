/* SPDX-License-Identifier: GPL-2.0-only */
/* The cost of a probe hit on this machine, without its program, measured on this process. */
#ifndef TOPSTACKS_CAPTURE_PROBES_PROBE_COST_H
#define TOPSTACKS_CAPTURE_PROBES_PROBE_COST_H

#include "base/common.h"

/*
 * Puts a probe with an empty program on a function of this process, and calls it for about a tenth
 * of a second of CPU time. is_emulated: the kernel emulates the probed instruction. is_of_returns:
 * the function's return is probed, too. *ns: CPU time of a hit. Returns 0 or negative errno with a
 * sentence.
 */
int probe_cost__measure(bool is_emulated, bool is_of_returns, double *ns, struct error *err);

/*
 * Puts such a probe in and removes it. Returns 0 or negative errno. *by_link: only a link was
 * permitted, not an event.
 */
int probe_cost__try(bool *by_link);

#endif
