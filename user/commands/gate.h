/* SPDX-License-Identifier: GPL-2.0-only */
/* The quality of names and stacks at the end of a command: said, and held against
 * --require-quality. */
#ifndef TOPSTACKS_COMMANDS_GATE_H
#define TOPSTACKS_COMMANDS_GATE_H

#include "base/error.h"
#include "profile/quality.h"

struct packages;

/* A row for a command whose struct has a double called field. */
#define QUALITY_ROW(type, field)                                                        \
	{                                                                               \
		0, "require-quality", "PCT", OPT_NUMBER(type, field, 0, 100), NULL,     \
			"exit 1 if less of the frames is named, or more of the stacks " \
			"cut short"                                                     \
	}

/* Names the packages that would help. packages: NULL is fine, and finds none. */
void gate__find_packages(struct quality *quality, struct packages *packages);

/* Lines on standard error, "topstacks: ..."; none if all is well. */
void gate__say(const struct quality *quality);

/* required: in percent. 0, or a negative code with err filled for EXIT_GATE. */
int gate__check(const struct quality *quality, double required, struct error *err);

#endif
