// SPDX-License-Identifier: GPL-2.0-only
#include "capture/pid_set.h"

#include <errno.h>
#include <stdlib.h>

int pid_set__init(struct pid_set *set)
{
	return map__init_numbers(&set->map, free);
}

void pid_set__fini(struct pid_set *set)
{
	map__fini(&set->map);
}

int pid_set__add(struct pid_set *set, int32_t pid)
{
	struct map_number *item;

	if (pid_set__has(set, pid))
		return 0;
	item = malloc(sizeof(*item));
	if (!item)
		return -ENOMEM;
	*item = map__number(&set->map, (uint32_t)pid);
	if (!map__add(&set->map, &item->item))
		return 0;
	free(item);
	return -ENOMEM;
}

bool pid_set__remove(struct pid_set *set, int32_t pid)
{
	struct map_number *item = map__find_number(&set->map, (uint32_t)pid);

	if (item)
		map__remove(&set->map, &item->item);
	return item;
}

bool pid_set__has(const struct pid_set *set, int32_t pid)
{
	return map__find_number(&set->map, (uint32_t)pid);
}

void pid_set__clear(struct pid_set *set)
{
	map__clear(&set->map);
}

struct pid_visit {
	bool (*visit)(int32_t pid, void *context);
	void *context;
};

static bool visit_item(void *item, void *context)
{
	const struct pid_visit *visit = context;

	return visit->visit((int32_t)((struct map_number *)item)->number, visit->context);
}

void pid_set__visit(struct pid_set *set, bool (*visit)(int32_t pid, void *context), void *context)
{
	struct pid_visit wanted = {visit, context};

	map__visit(&set->map, visit_item, &wanted);
}
