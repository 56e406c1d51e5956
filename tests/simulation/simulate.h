/*
 * The chapters of the simulation. Each prints tables, of so many comparisons a setting, and returns
 * the number of promises that were broken.
 */
#ifndef TOPSTACKS_SIMULATION_SIMULATE_H
#define TOPSTACKS_SIMULATION_SIMULATE_H

/* "topstacks last --diff" on a load that has phases: false alarms, and changes that are found. */
int phases__simulate(unsigned int comparisons);

/* Error bars of shares hold the true ones: in cells, in their mean, in programs that change. */
int bars__simulate(unsigned int comparisons);

/* Heaps that were sampled by bytes: false alarms. */
int heaps__simulate(unsigned int comparisons);

/* Renames that are found, and the verdicts on functions that did not change. */
int renames__simulate(unsigned int comparisons);

/* Programs of two to five functions, of which most may have changed. */
int few__simulate(unsigned int comparisons);

/* Error bars of shares of weights, where samples weigh differently: in cells, and in their mean. */
int weights__simulate(unsigned int comparisons);

#endif
