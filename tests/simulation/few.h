/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TOPSTACKS_SIMULATION_FEW_H
#define TOPSTACKS_SIMULATION_FEW_H

/* What is told of programs of two to five functions, of which most may have changed: how many promises were broken. */
int few__simulate(unsigned int comparisons);

#endif
