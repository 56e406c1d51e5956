/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TOPSTACKS_VIEWS_SPARKLINES_H
#define TOPSTACKS_VIEWS_SPARKLINES_H

#include "profile/recording.h"
#include "views/tables.h"

/*
 * Writes a line of bars over time for all samples, and one for each of the hottest functions by
 * self.
 */
void view__write_sparklines(struct table *table, const struct recording *recording);

#endif
