/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions whose names differ only in what compilers and JITs number become one, as diff takes them. */
#ifndef TOPSTACKS_ACTIONS_JOINED_NAMES_H
#define TOPSTACKS_ACTIONS_JOINED_NAMES_H

#include "base/error.h"
#include "profile/recording.h"

/* Handles all events and slices of a recording. 0, or -ENOMEM with err filled. */
int joined_names__apply(struct recording *recording, struct error *err);

#endif
