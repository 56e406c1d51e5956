/* SPDX-License-Identifier: GPL-2.0-only */
/* Sampling rates in words, and what they cost other programs. */
#ifndef TOPSTACKS_VIEWS_RATE_H
#define TOPSTACKS_VIEWS_RATE_H

#include "base/common.h"

struct recording;

/* "99 Hz", "98.9 Hz", "4,998 Hz"; returns text. */
const char *rate__format(char *text, size_t size, double hz);

/*
 * The rates that were asked for: "99 Hz"; for several files "99 and 997 Hz" or "49 to 997 Hz"; with
 * the rate before, and what a bound left of it: "299 Hz, then 99 Hz, lowered to 24 Hz". Returns
 * text.
 */
const char *rate__format_asked(char *text, size_t size, const struct recording *recording);

/* One rate beside others: "98.9", "4998" */
const char *rate__format_brief(char *text, size_t size, double hz);

/*
 * Describes in a sentence of about 80 columns how much sampling slows programs: its timer
 * interrupts them on all sampled CPUs. As snprintf, or 0 if it is too little to notice.
 */
int rate__describe_slowdown(double hz, unsigned int nr_cpus, char *text, size_t size);

#endif
