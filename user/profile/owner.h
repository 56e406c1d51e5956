/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TOPSTACKS_PROFILE_OWNER_H
#define TOPSTACKS_PROFILE_OWNER_H

#include "processes/process.h"

struct owner_text {
	char text[PROCESS_COMM_SIZE + 40];
};

/* "redis-server (4711)", "redis-server (4711/4714)"; tid 0: the process; pid 0: not known. */
void owner__format(struct owner_text *owner, const struct process *process, int32_t tid);

#endif
