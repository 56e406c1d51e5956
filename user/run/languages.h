/* SPDX-License-Identifier: GPL-2.0-only */
/* Languages that an interpreter runs, and whose functions are not shown: their users are told. */
#ifndef TOPSTACKS_RUN_LANGUAGES_H
#define TOPSTACKS_RUN_LANGUAGES_H

#include <stdbool.h>

struct dictionary;

/* Says so if there are frames of an interpreter's loop. why: the reason why they are not followed. Returns whether it did. */
bool languages__tell(const struct dictionary *dictionary, const char *why);

#endif
