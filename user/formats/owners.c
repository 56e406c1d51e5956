// SPDX-License-Identifier: GPL-2.0-only
#include "formats/owners.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sums.h"
#include "profile/owner.h"

static const char *comm_of(const struct owners *owners, const struct row *row)
{
	return dictionary__process(profile__dictionary(owners->recording->profile), row->process)
		->comm;
}

static int order_owners(const struct owners *owners, const struct row *a, const struct row *b)
{
	int order = strcmp(comm_of(owners, a), comm_of(owners, b));

	if (order || owners->merge == MERGE_BY_COMM)
		return order;
	if (a->process != b->process)
		return (a->process > b->process) - (a->process < b->process);
	return (a->tid > b->tid) - (a->tid < b->tid);
}

static int order_rows(const void *left, const void *right, void *context)
{
	const struct owners *owners = context;
	const struct row *a = left, *b = right;
	enum value shown = profile__metrics(owners->recording->profile)->shown;
	int order = order_owners(owners, a, b);

	if (order)
		return order;
	if (a->values[shown] != b->values[shown])
		return a->values[shown] < b->values[shown] ? 1 : -1;
	return (a->stack > b->stack) - (a->stack < b->stack);
}

static int by_total(const void *left, const void *right)
{
	const struct owner *a = left, *b = right;

	if (a->total != b->total)
		return a->total < b->total ? 1 : -1;
	return (a->first > b->first) - (a->first < b->first);
}

static void find_owners(struct owners *owners, size_t nr_rows)
{
	for (size_t i = 0; i < nr_rows; i++) {
		struct owner *owner;

		if (!i || order_owners(owners, &owners->rows[i - 1], &owners->rows[i]))
			owners->owners[owners->nr_owners++] = (struct owner){.first = i};
		owner = &owners->owners[owners->nr_owners - 1];
		owner->end = i + 1;
		owner->total = sum_of(
			owner->total,
			owners->rows[i]
				.values[profile__metrics(owners->recording->profile)->shown]);
	}
	qsort(owners->owners, owners->nr_owners, sizeof(*owners->owners), by_total);
}

int owners__init(struct owners *owners, const struct recording *recording, enum merge merge)
{
	long nr_rows;

	*owners = (struct owners){.recording = recording, .merge = merge};
	nr_rows = profile__top_stacks(recording->profile, merge, SIZE_MAX, &owners->rows);
	if (nr_rows < 0)
		return (int)nr_rows;
	owners->owners = calloc(nr_rows ? (size_t)nr_rows : 1, sizeof(*owners->owners));
	if (!owners->owners) {
		owners__fini(owners);
		return -ENOMEM;
	}
	qsort_r(owners->rows, (size_t)nr_rows, sizeof(*owners->rows), order_rows, owners);
	find_owners(owners, (size_t)nr_rows);
	return 0;
}

void owners__fini(struct owners *owners)
{
	free(owners->rows);
	free(owners->owners);
	*owners = (struct owners){0};
}

const struct row *owners__rows(const struct owners *owners, size_t index, size_t *nr_rows)
{
	const struct owner *owner = &owners->owners[index];

	*nr_rows = owner->end - owner->first;
	return &owners->rows[owner->first];
}

/* The formats have units of time and bytes themselves. */
static void add_metric(const struct metric *metric, char *text, size_t size)
{
	const bool is_known = metric->is_events || metric__brings_unit(metric);

	if (metric->name && !metric__equal(metric, &metric__samples))
		snprintf(text, size, ", %.40s%s%.40s", metric->name, is_known ? "" : " in ",
			 is_known ? "" : metric->unit);
}

const char *owners__name(const struct owners *owners, size_t index, char *name)
{
	const struct profile *profile = owners->recording->profile;
	const struct row *row = &owners->rows[owners->owners[index].first];
	const struct process *process =
		dictionary__process(profile__dictionary(profile), row->process);
	struct owner_text owner;
	int length;

	owner__format(&owner, process, owners->merge == MERGE_BY_THREAD ? row->tid : 0,
		      row->thread);
	if (owners->merge == MERGE_BY_COMM || !process->pid)
		snprintf(owner.text, sizeof(owner.text), "%s",
			 *process->comm ? process->comm : "all");
	length = snprintf(name, OWNER_NAME_SIZE, "%s", owner.text);
	add_metric(metrics__shown(profile__metrics(profile)), name + length,
		   OWNER_NAME_SIZE - (size_t)length);
	return name;
}
