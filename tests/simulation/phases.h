/* SPDX-License-Identifier: GPL-2.0-only */
/* What "topstacks last --diff" says of a load that has phases: as simulate.c has it for diff. */
#ifndef TOPSTACKS_SIMULATION_PHASES_H
#define TOPSTACKS_SIMULATION_PHASES_H

/* Prints tables. Returns how many of two promises were broken: false alarms, and what is found. */
int phases__simulate(unsigned int comparisons);

#endif
