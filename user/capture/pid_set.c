// SPDX-License-Identifier: GPL-2.0-only
/* Ids are kept as pointers; the table reserves the pointers 0 and 1. */
#include "capture/pid_set.h"

#include <errno.h>
#include <stddef.h>

#include <libiberty/hashtab.h>

static void *entry_of(int32_t pid)
{
	return (void *)(((uintptr_t)(uint32_t)pid << 1) + 2);
}

static int32_t pid_of(const void *entry)
{
	return (int32_t)(((uintptr_t)entry - 2) >> 1);
}

int pid_set__init(struct pid_set *set)
{
	set->table = htab_try_create(64, htab_hash_pointer, htab_eq_pointer, NULL);
	return set->table ? 0 : -ENOMEM;
}

void pid_set__fini(struct pid_set *set)
{
	if (set->table)
		htab_delete(set->table);
	set->table = NULL;
}

int pid_set__add(struct pid_set *set, int32_t pid)
{
	void **slot = htab_find_slot(set->table, entry_of(pid), INSERT);

	if (!slot)
		return -ENOMEM;
	*slot = entry_of(pid);
	return 0;
}

bool pid_set__remove(struct pid_set *set, int32_t pid)
{
	void **slot = htab_find_slot(set->table, entry_of(pid), NO_INSERT);

	if (slot)
		htab_clear_slot(set->table, slot);
	return slot != NULL;
}

bool pid_set__has(const struct pid_set *set, int32_t pid)
{
	return htab_find(set->table, entry_of(pid)) != NULL;
}

void pid_set__clear(struct pid_set *set)
{
	htab_empty(set->table);
}

struct pid_visit {
	htab_t table;
	bool (*visit)(int32_t pid, void *context);
	void *context;
};

static int visit_slot(void **slot, void *context)
{
	const struct pid_visit *visit = context;

	if (visit->visit(pid_of(*slot), visit->context))
		htab_clear_slot(visit->table, slot);
	return 1;
}

void pid_set__visit(struct pid_set *set, bool (*visit)(int32_t pid, void *context), void *context)
{
	struct pid_visit wanted = {set->table, visit, context};

	htab_traverse_noresize(set->table, visit_slot, &wanted);
}
