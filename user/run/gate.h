/* SPDX-License-Identifier: GPL-2.0-only */
/* Says how good names and stacks of a run are, and compares that with --require-quality. */
#ifndef TOPSTACKS_RUN_GATE_H
#define TOPSTACKS_RUN_GATE_H

#include "base/error.h"
#include "profile/quality.h"

struct packages;

/* Fills in which packages have the missing symbols. packages: NULL finds none. */
void gate__find_packages(struct quality *quality, struct packages *packages);

/* Writes lines to standard error, "topstacks: ..."; none if all is well. */
void gate__say(const struct quality *quality);

/* required: in percent. 0, or a negative code with err filled for EXIT_GATE. */
int gate__check(const struct quality *quality, double required, struct error *err);

#endif
