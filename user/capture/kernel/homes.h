/* SPDX-License-Identifier: GPL-2.0-only */
/* The places of a set that each CPU asks for first: a home for each context (abi.h) that has programs. */
#ifndef TOPSTACKS_CAPTURE_KERNEL_HOMES_H
#define TOPSTACKS_CAPTURE_KERNEL_HOMES_H

#include <stdint.h>

struct events;

/*
 * Homes that the programs of these events want on the CPUs that are online. first: of each enum program_context, the home
 * of the first CPU; NULL: nobody asks. CPUs with higher numbers than there are, of machines with gaps among
 * them, share homes with others.
 */
uint32_t homes__count(const struct events *events, uint32_t *first);

#endif
