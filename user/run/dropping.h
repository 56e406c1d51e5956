/* SPDX-License-Identifier: GPL-2.0-only */
/* Frames that somebody does not want to see, and a word on how many samples had them. */
#ifndef TOPSTACKS_RUN_DROPPING_H
#define TOPSTACKS_RUN_DROPPING_H

#include "profile/select/drop.h"

/* "topstacks: --drop left frames out of 30.0 % of all stacks; ...", on standard error. all: of the same value. */
void dropping__tell(const struct dropped *dropped, uint64_t all);

/* Does and tells it. 0, or negative errno with err filled. */
int dropping__apply(struct recording *recording, const char *pattern, struct error *err);

#endif
