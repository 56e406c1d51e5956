/* SPDX-License-Identifier: GPL-2.0-only */
/* How often the error bars of shares of weights hold the true ones, where samples weigh differently. */
#ifndef TOPSTACKS_SIMULATION_WEIGHTS_H
#define TOPSTACKS_SIMULATION_WEIGHTS_H

/* Prints a table. Returns how many of two promises were broken: of cells, and of their mean. */
int weights__simulate(unsigned int comparisons);

#endif
