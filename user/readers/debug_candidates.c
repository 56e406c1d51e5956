// SPDX-License-Identifier: GPL-2.0-only
#include "readers/debug_candidates.h"

#include <errno.h>
#include <string.h>

static int next(void *context, enum debug_question question, const char *name, unsigned int index)
{
	struct reader_question asked = {.kind = question, .index = index};

	if (strlen(name) >= sizeof(asked.name))
		return -ENOENT;
	strcpy(asked.name, name);
	return reader__ask(context, &asked);
}

struct debug_offers reader__offers(const struct reader_task *task)
{
	return (struct debug_offers){.next = next, .context = (void *)(uintptr_t)task};
}
