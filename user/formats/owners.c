// SPDX-License-Identifier: GPL-2.0-only
#include "formats/owners.h"

#include "flame/colors.h"
#include "profile/owner.h"

static int order_owners(const struct owners *owners, const struct row *a, const struct row *b)
{
	const struct dictionary *dictionary = profile__dictionary(owners->recording->profile);
	int order = strcmp(dictionary__process(dictionary, a->process)->comm,
			   dictionary__process(dictionary, b->process)->comm);

	if (order || owners->merge == MERGE_BY_COMM)
		return order;
	if (a->process != b->process)
		return (a->process > b->process) - (a->process < b->process);
	return (a->tid > b->tid) - (a->tid < b->tid);
}

static int order_rows(const void *left, const void *right, void *context)
{
	const struct owners *owners = context;
	const struct owned_row *x = left, *y = right;
	const struct row *a = &x->row, *b = &y->row;
	enum value shown = profile__metrics(owners->recording->profile)->shown;
	int order = order_owners(owners, a, b);

	if (order)
		return order;
	if (a->values[shown] != b->values[shown])
		return a->values[shown] < b->values[shown] ? 1 : -1;
	if (a->stack != b->stack)
		return a->stack > b->stack ? 1 : -1;
	return (x->state > y->state) - (x->state < y->state);
}

static int by_total(const void *left, const void *right)
{
	const struct owner *a = left, *b = right;

	if (a->total != b->total)
		return a->total < b->total ? 1 : -1;
	return (a->first > b->first) - (a->first < b->first);
}

static void add_rows(struct owners *owners, const struct profile *profile, enum wait_state state)
{
	struct row *rows;
	const long nr = profile__top_stacks(profile, owners->merge, &rows);

	array__reserve(&owners->rows, &owners->capacity, owners->nr_rows + (size_t)nr);
	for (long i = 0; i < nr; i++)
		owners->rows[owners->nr_rows++] = (struct owned_row){rows[i], state};
	free(rows);
}

void owners__init(struct owners *owners, const struct recording *recording, enum merge merge)
{
	const struct profile *profile = recording->profile;
	const enum value shown = profile__metrics(profile)->shown;
	struct owner *owner = NULL;

	*owners = (struct owners){.recording = recording, .merge = merge};
	if (!profile__tells_waits(profile))
		add_rows(owners, profile, WAIT_UNKNOWN);
	for (int i = 0; i < WAIT_STATES && profile__tells_waits(profile); i++) {
		const enum wait_state state = (enum wait_state)i;
		const struct wait_choice choice = {.states = state__looks_like(state)};
		struct profile *some;

		if (state__style(state)->state != state)
			continue;
		some = profile__select_waits(profile, &choice);
		add_rows(owners, some, state);
		profile__free(some);
	}
	if (owners->nr_rows)
		qsort_r(owners->rows, owners->nr_rows, sizeof(*owners->rows), order_rows, owners);

	owners->owners = xcalloc(owners->nr_rows + 1, sizeof(*owners->owners));
	for (size_t i = 0; i < owners->nr_rows; i++) {
		const struct row *row = &owners->rows[i].row;

		if (!owner || order_owners(owners, &owners->rows[i - 1].row, row)) {
			owner = &owners->owners[owners->nr_owners++];
			owner->first = i;
		}
		owner->end = i + 1;
		owner->total = sum_of(owner->total, row->values[shown]);
	}
	qsort(owners->owners, owners->nr_owners, sizeof(*owners->owners), by_total);
}

void owners__fini(struct owners *owners)
{
	free(owners->rows);
	free(owners->owners);
	*owners = (struct owners){0};
}

const struct owned_row *owners__rows(const struct owners *owners, size_t index, size_t *nr_rows)
{
	const struct owner *owner = &owners->owners[index];

	*nr_rows = owner->end - owner->first;
	return &owners->rows[owner->first];
}

const char *owners__name(const struct owners *owners, size_t index, char *name)
{
	const struct profile *profile = owners->recording->profile;
	const struct metric *metric = metrics__shown(profile__metrics(profile));
	/* the formats have fields for units of time and bytes */
	const bool is_known = metric->is_events || metric__brings_unit(metric);
	const struct row *row = &owners->rows[owners->owners[index].first].row;
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
	if (metric->name && !metric__equal(metric, &metric__samples))
		snprintf(name + length, OWNER_NAME_SIZE - (size_t)length, ", %.40s%s%.40s",
			 metric->name, is_known ? "" : " in ", is_known ? "" : metric->unit);
	return name;
}
