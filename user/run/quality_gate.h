/* SPDX-License-Identifier: GPL-2.0-only */
/* The quality of names and stacks against --require-quality, and packages that would mend it. */
#ifndef TOPSTACKS_RUN_QUALITY_GATE_H
#define TOPSTACKS_RUN_QUALITY_GATE_H

#include "base/error.h"
#include "profile/quality.h"

struct packages;

/* Fills in which packages have the missing symbols. packages: NULL finds none. */
void quality_gate__find_packages(struct quality *quality, struct packages *packages);

/* required: in percent. 0, or a negative code with err filled for EXIT_GATE. */
int quality_gate__check(const struct quality *quality, double required, struct error *err);

#endif
