/* SPDX-License-Identifier: GPL-2.0-only */
/* The lines that every view of an interval begins with: its circumstances, its ledger, its losses.
 */
#ifndef TOPSTACKS_VIEWS_HEADER_H
#define TOPSTACKS_VIEWS_HEADER_H

#include "profile/interval.h"
#include "views/pen.h"

/* How many lines there are. */
size_t header__nr_lines(const struct interval *interval);

/* Writes one of them, without its end. */
void header__write(struct pen *pen, const struct interval *interval, size_t index);

/* What to say instead of stacks when nothing was sampled, in full sentences. */
void header__explain_silence(struct pen *pen, const struct interval *interval);

#endif
