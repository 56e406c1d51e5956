/* SPDX-License-Identifier: GPL-2.0-only */
/* What a process becomes that reads what strangers send. */
#ifndef TOPSTACKS_BASE_SYSTEM_UNPRIVILEGED_H
#define TOPSTACKS_BASE_SYSTEM_UNPRIVILEGED_H

/*
 * No capabilities and no way to get some; an empty directory as its root and another user's id where
 * we may choose them, which takes RIGHTS_TO_CONFINE; not to be traced. Of a process with one thread.
 * 0 or negative errno.
 */
int nobody__become(void);

#endif
