/* SPDX-License-Identifier: GPL-2.0-only */
/* Reading a set that no program writes to any more. */
#ifndef TOPSTACKS_CAPTURE_DRAIN_H
#define TOPSTACKS_CAPTURE_DRAIN_H

struct capture_sink;
struct ledger;
struct set;

/*
 * Gives every sample counted in the set to the sink and zeroes its count; new stacks and processes
 * are read into the set's tables first. Adds missing stacks, unnamed processes and the stacks that
 * were read by syscall to the ledger. 0 or negative errno.
 */
int drain__set(struct set *set, const struct capture_sink *sink, struct ledger *ledger);

#endif
