/* SPDX-License-Identifier: GPL-2.0-only */
/* What a hit of a probe costs on this machine, without what its program does: measured on ourselves. */
#ifndef TOPSTACKS_CAPTURE_PROBES_PROBE_COST_H
#define TOPSTACKS_CAPTURE_PROBES_PROBE_COST_H

#include <stdbool.h>

#include "base/error.h"

/*
 * Puts a probe with a program that does nothing on a function of our own, and calls it for about a tenth of a
 * second of CPU time. is_emulated: the probed instruction is one that the kernel emulates. is_of_returns:
 * the function's return is hit as well. ns: of CPU time a hit. 0 or negative errno with a sentence.
 */
int probe_cost__measure(bool is_emulated, bool is_of_returns, double *ns, struct error *err);

/*
 * Only puts such a probe there, and takes it away. 0 or negative errno. by_link: it could be put there by a link, and its
 * event was not permitted.
 */
int probe_cost__try(bool *by_link);

#endif
