/* SPDX-License-Identifier: GPL-2.0-only */
/* Targets that are in the map of targets, and dead: the end of their process was missed. */
#ifndef TOPSTACKS_CAPTURE_TASKS_STALE_TARGETS_H
#define TOPSTACKS_CAPTURE_TASKS_STALE_TARGETS_H

struct program_session;

/*
 * Deletes those that neither of the last two passes over all tasks has met. map: of targets. What the kernel refuses
 * stays for the next time. RIGHTS_TO_SAMPLE are raised.
 */
void stale_targets__sweep(int map, struct program_session *session);

#endif
