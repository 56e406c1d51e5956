/* SPDX-License-Identifier: GPL-2.0-only */
/* Confines a process that reads untrusted data. */
#ifndef TOPSTACKS_BASE_SYSTEM_UNPRIVILEGED_H
#define TOPSTACKS_BASE_SYSTEM_UNPRIVILEGED_H

/*
 * Drops all capabilities and ways to get them; changes root to an empty directory and the user to
 * an unused id where permitted, which takes RIGHTS_TO_CONFINE; disables tracing. The process must
 * have one thread. 0 or negative errno.
 */
int unprivileged__become(void);

#endif
