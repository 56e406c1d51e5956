/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Checks the quality of names and stacks against --require-quality, and finds packages that would
 * improve it.
 */
#ifndef TOPSTACKS_RUN_QUALITY_GATE_H
#define TOPSTACKS_RUN_QUALITY_GATE_H

#include "base/common.h"
#include "profile/quality.h"

struct packages;

/* Fills in the packages that have the missing symbols. packages: NULL: finds none. */
void quality_gate__find_packages(struct quality *quality, struct packages *packages);

/*
 * Checks that the quality is at least `required` percent. 0, or negative errno with err filled,
 * which has EXIT_GATE.
 */
int quality_gate__check(const struct quality *quality, double required, struct error *err);

#endif
