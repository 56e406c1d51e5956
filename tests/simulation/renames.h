/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TOPSTACKS_SIMULATION_RENAMES_H
#define TOPSTACKS_SIMULATION_RENAMES_H

/* Renames found, and what is told of functions that did not change: how many of the two promises were broken. */
int renames__simulate(unsigned int comparisons);

#endif
