/* SPDX-License-Identifier: GPL-2.0-only */
/* How often the error bars of shares hold the true ones. */
#ifndef TOPSTACKS_SIMULATION_BARS_H
#define TOPSTACKS_SIMULATION_BARS_H

/* Prints tables. Returns how many of three promises were broken: of cells, of their mean, of groups. */
int bars__simulate(unsigned int comparisons);

#endif
