/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What sampling costs other programs. The timer interrupts whatever runs on a sampled CPU, whether
 * it is a target or not, so a high rate slows everything there, and the user is told so.
 */
#ifndef TOPSTACKS_VIEWS_SLOWDOWN_H
#define TOPSTACKS_VIEWS_SLOWDOWN_H

#include <stddef.h>

/* A sentence of 80 columns or so: its length as snprintf, or 0 where it is too little to notice. */
int slowdown__describe(double rate_hz, unsigned int nr_cpus, char *text, size_t size);

#endif
