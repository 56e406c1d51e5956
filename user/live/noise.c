// SPDX-License-Identifier: GPL-2.0-only
#include "live/noise.h"

#include "profile/select/idle_waits.h"

/*
 * A decaying sum has no duration that its waits could fill. A filter of states or kinds means that
 * the user wants to see these waits.
 */
static void part(const struct live *live, const struct kept *kept, const struct profile *profile,
		 struct profile **idle, struct profile **others)
{
	const struct selection *selection = &live->selection;
	const bool is_decayed = live__unit_of(live, kept) > 1;

	*idle = *others = NULL;
	if (selection->view != VIEW_STACKS || *selection->states || *selection->kinds)
		return;
	profile__part_idle_waits(profile, is_decayed ? 0 : kept->recording.duration_ns, idle,
				 others);
}

void idle__part(struct live *live)
{
	part(live, live->picture, live->profile, &live->idle, &live->others);
	if (live->shows_idle) {
		profile__free(live->others);
		live->others = NULL;
	}
}

void idle__leave_out(const struct live *live, const struct kept *kept, struct profile **made)
{
	struct profile *idle, *others;

	if (live->shows_idle)
		return;
	part(live, kept, *made ? *made : kept->recording.profile, &idle, &others);
	profile__free(idle);
	if (!others)
		return;
	profile__free(*made);
	*made = others;
}

void idle__add_row(struct live *live)
{
	struct live_row row = {.id = ROW_ID_IDLE,
			       .name = "waiting for work",
			       .has_children = true,
			       .is_folded = !live->shows_idle};
	struct live_row *stacks;

	if (!live->idle)
		return;
	row.nr_folded = rows__make(&live->selection, &live->ids, live->idle, &stacks);
	free(stacks);
	row.self = row.total = profile__shown_total(live->idle);
	row.self_squares = row.total_squares = profile__squares(live->idle);
	array__reserve(&live->rows, &live->rows_capacity, live->nr_rows + 1);
	memmove(live->rows + 1, live->rows, live->nr_rows * sizeof(*live->rows));
	live->rows[0] = row;
	live->nr_rows++;
}

/* True only while the decaying sum is noise, too: a row that comes back must find its place. */
static bool is_noise(const struct live *live, const struct rows_order *order,
		     const struct live_row *row)
{
	return (double)row->total <= live->unit && !order__is_seen(rows_order__sum(order, row->id));
}

void noise__fold(struct live *live)
{
	const struct rows_order order = live__order(live);
	struct live_row sum = {
		.id = ROW_ID_NOISE, .has_children = true, .is_folded = !live->shows_noise};
	struct live_row *noise;
	size_t nr_noise = 0, first = 0;

	/*
	 * Rows that only the baseline has are not noise. Values that are not counts of events have
	 * no noise.
	 */
	if (live__is_comparing(live) || !metrics__shown(profile__metrics(live->profile))->is_events)
		return;
	for (size_t i = 0; i < live->nr_rows; i++)
		nr_noise += is_noise(live, &order, &live->rows[i]);
	if (nr_noise < 2 || nr_noise == live->nr_rows)
		return;

	/* Move the noise behind the other rows; otherwise they keep their order. */
	array__reserve(&live->rows, &live->rows_capacity, live->nr_rows + 1);
	noise = xcalloc(nr_noise, sizeof(*noise));
	for (size_t i = 0; i < live->nr_rows; i++) {
		const struct live_row row = live->rows[i];

		if (!is_noise(live, &order, &row)) {
			live->rows[first++] = row;
			continue;
		}
		/* Totals of functions overlap and cannot be added. */
		sum.self += row.self;
		sum.self_squares += row.self_squares;
		noise[sum.nr_folded++] = row;
	}
	live->rows[first] = sum;
	memcpy(live->rows + first + 1, noise, nr_noise * sizeof(*noise));
	free(noise);
	live->nr_rows = sum.is_folded ? first + 1 : live->nr_rows + 1;
}
