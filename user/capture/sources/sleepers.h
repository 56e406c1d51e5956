/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The user's stacks of threads that sleep when sampling begins: one walk of each, in its memory.
 * Whose memory it is may keep whoever reads it waiting; so a thread does that is left behind if it
 * takes too long.
 */
#ifndef TOPSTACKS_CAPTURE_SOURCES_SLEEPERS_H
#define TOPSTACKS_CAPTURE_SOURCES_SLEEPERS_H

struct topstacks_bpf;

/* Threads must have their records. What cannot be had in a quarter of a second is done without. */
void sleepers__walk(const struct topstacks_bpf *skeleton);

#endif
