// SPDX-License-Identifier: GPL-2.0-only
#include "profile/owner.h"

#include <inttypes.h>
#include <stdio.h>

void owner__format(struct owner_text *owner, const struct process *process, int32_t tid)
{
	const char *comm = *process->comm ? process->comm : "[unknown]";

	if (tid)
		snprintf(owner->text, sizeof(owner->text), "%.*s (%" PRId32 "/%" PRId32 ")",
			 PROCESS_COMM_SIZE, comm, process->pid, tid);
	else if (process->pid)
		snprintf(owner->text, sizeof(owner->text), "%.*s (%" PRId32 ")", PROCESS_COMM_SIZE,
			 comm, process->pid);
	else
		snprintf(owner->text, sizeof(owner->text), "%.*s", PROCESS_COMM_SIZE, comm);
}
