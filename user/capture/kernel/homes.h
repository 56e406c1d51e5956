/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Home places: the places of a set that each CPU uses first, one for each context (abi.h) that has
 * programs.
 */
#ifndef TOPSTACKS_CAPTURE_KERNEL_HOMES_H
#define TOPSTACKS_CAPTURE_KERNEL_HOMES_H

#include "base/common.h"

struct events;

/*
 * Returns the number of homes for the programs of these events on the online CPUs. first: for each
 * enum program_context, the home of the first CPU; may be NULL. On machines with gaps in the CPU
 * numbers, CPUs with high numbers share homes.
 */
uint32_t homes__count(const struct events *events, uint32_t *first);

#endif
