/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What sampling costs others. The timer interrupts whatever runs on a sampled CPU, asked for or
 * not, so a high rate is everybody's: that is to be said before somebody wonders.
 */
#ifndef TOPSTACKS_VIEWS_SLOWDOWN_H
#define TOPSTACKS_VIEWS_SLOWDOWN_H

#include <stddef.h>

/* A sentence of 80 columns or so: its length as snprintf, or 0 where nobody would notice. */
int slowdown__describe(double rate_hz, unsigned int nr_cpus, char *text, size_t size);

#endif
