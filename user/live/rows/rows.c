// SPDX-License-Identifier: GPL-2.0-only
#include "live/rows/rows.h"

static bool is_by_self(const struct selection *selection)
{
	return (selection->view == VIEW_FUNCTIONS || selection->view == VIEW_MODULES) &&
	       !selection->by_total;
}

uint64_t row__value(const struct live_row *row, const struct selection *selection)
{
	return is_by_self(selection) ? row->self : row->total;
}

double row__squares(const struct live_row *row, const struct selection *selection)
{
	return is_by_self(selection) ? row->self_squares : row->total_squares;
}

static size_t make_stacks(const struct selection *selection, struct row_ids *ids,
			  const struct profile *profile, struct live_row **out)
{
	const struct dictionary *dictionary = profile__dictionary(profile);
	const enum value shown = profile__metrics(profile)->shown;
	struct row *stacks;
	const size_t nr = (size_t)profile__top_stacks(profile, selection->merge, &stacks);
	struct live_row *rows = xcalloc(nr + 1, sizeof(*rows));

	row_ids__prepare(ids, dictionary);
	for (size_t i = 0; i < nr; i++) {
		const struct row *stack = &stacks[i];
		uint64_t owner =
			row_id__of_owner(dictionary, stack->process, stack->tid, selection->merge);

		rows[i] = (struct live_row){
			.id = row_ids__stack(ids, owner, stack->stack),
			.self = stack->values[shown],
			.total = stack->values[shown],
			.self_squares = stack->squares,
			.total_squares = stack->squares,
			.process = stack->process,
			.stack = stack->stack,
			.tid = stack->tid,
		};
	}
	free(stacks);
	*out = rows;
	return nr;
}

static size_t make_groups(const struct selection *selection, const struct profile *profile,
			  struct live_row **out)
{
	static const enum group_by owners[] = {[MERGE_BY_COMM] = GROUP_BY_COMM,
					       [MERGE_BY_PROCESS] = GROUP_BY_PROCESS,
					       [MERGE_BY_THREAD] = GROUP_BY_THREAD};
	const enum group_by by = selection->view == VIEW_MODULES     ? GROUP_BY_MODULE
				 : selection->view == VIEW_PROCESSES ? owners[selection->owners]
								     : GROUP_BY_FUNCTION;
	const enum sort sort = selection->by_total ? SORT_BY_TOTAL : SORT_BY_SELF;
	struct group_row *groups;
	const size_t nr = (size_t)profile__group(profile, by, sort, &groups);
	struct live_row *rows = xcalloc(nr + 1, sizeof(*rows));

	for (size_t i = 0; i < nr; i++)
		rows[i] = (struct live_row){
			.id = row_id__of(groups[i].name, groups[i].module),
			.self = groups[i].self,
			.total = groups[i].total,
			.self_squares = groups[i].self_squares,
			.total_squares = groups[i].total_squares,
			.name = groups[i].name,
			.module = groups[i].module,
			.kind = groups[i].kind,
			.owner = groups[i].process,
		};
	free(groups);
	*out = rows;
	return nr;
}

size_t rows__make(const struct selection *selection, struct row_ids *ids,
		  const struct profile *profile, struct live_row **rows)
{
	if (selection->view == VIEW_STACKS)
		return make_stacks(selection, ids, profile, rows);
	return make_groups(selection, profile, rows);
}
