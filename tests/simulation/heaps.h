/* SPDX-License-Identifier: GPL-2.0-only */
/* What diff says of heaps that were sampled by bytes: as simulate.c has it for counts. */
#ifndef TOPSTACKS_SIMULATION_HEAPS_H
#define TOPSTACKS_SIMULATION_HEAPS_H

/* Prints a table. Returns 1 if there are more false alarms than promised, else 0. */
int heaps__simulate(unsigned int comparisons);

#endif
