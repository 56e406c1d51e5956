/* SPDX-License-Identifier: GPL-2.0-only */
/* Sampling rates in words: how many, and what they cost others. */
#ifndef TOPSTACKS_VIEWS_RATE_H
#define TOPSTACKS_VIEWS_RATE_H

#include <stddef.h>

struct recording;

/* "99 Hz", "98.9 Hz", "4,998 Hz"; returns text. */
const char *rate__format(char *text, size_t size, double hz);

/*
 * What was asked for, of several files "99 and 997 Hz" or "49 to 997 Hz", with what it was before and what a bound left
 * of it: "299 Hz, then 99 Hz, lowered to 24 Hz"; returns text.
 */
const char *rate__format_asked(char *text, size_t size, const struct recording *recording);

/* One rate beside others: "98.9", "4998" */
const char *rate__format_brief(char *text, size_t size, double hz);

/*
 * What sampling costs other programs, as its timer interrupts whatever runs on a sampled CPU: a
 * sentence of 80 columns or so. Its length as snprintf, or 0 where it is too little to notice.
 */
int rate__describe_slowdown(double hz, unsigned int nr_cpus, char *text, size_t size);

#endif
