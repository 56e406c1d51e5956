/* SPDX-License-Identifier: GPL-2.0-only */
/* The quality of names and stacks at the end of a run: said, and held against --require-quality. */
#ifndef TOPSTACKS_RUN_GATE_H
#define TOPSTACKS_RUN_GATE_H

#include "base/error.h"
#include "profile/quality.h"

struct packages;

/* Names the packages that would help. packages: NULL is fine, and finds none. */
void gate__find_packages(struct quality *quality, struct packages *packages);

/* Lines on standard error, "topstacks: ..."; none if all is well. */
void gate__say(const struct quality *quality);

/* required: in percent. 0, or a negative code with err filled for EXIT_GATE. */
int gate__check(const struct quality *quality, double required, struct error *err);

#endif
