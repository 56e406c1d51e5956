// SPDX-License-Identifier: GPL-2.0-only
#include "live/noise.h"

#include "profile/select/idle_waits.h"

/* A filter of states or kinds means that the user wants to see these waits. */
static bool is_parted(const struct selection *selection)
{
	return selection->view == VIEW_STACKS && !*selection->states && !*selection->kinds;
}

/* A decaying sum has no duration that its waits could fill. */
static int part(const struct live *live, const struct kept *kept, const struct profile *profile,
		struct profile **idle, struct profile **others)
{
	const bool is_decayed = live__unit_of(live, kept) > 1;

	*idle = *others = NULL;
	if (!is_parted(&live->selection))
		return 0;
	return profile__part_idle_waits(profile, is_decayed ? 0 : kept->recording.duration_ns, idle,
					others);
}

int idle__part(struct live *live)
{
	const int code = part(live, live->picture, live->profile, &live->idle, &live->others);

	if (live->shows_idle) {
		profile__free(live->others);
		live->others = NULL;
	}
	return code;
}

int idle__leave_out(const struct live *live, const struct kept *kept, struct profile **made)
{
	struct profile *idle, *others;
	int code;

	if (live->shows_idle)
		return 0;
	code = part(live, kept, *made ? *made : kept->recording.profile, &idle, &others);
	profile__free(idle);
	if (!others)
		return code;
	profile__free(*made);
	*made = others;
	return 0;
}

int idle__add_row(struct live *live)
{
	struct live_row row = {.id = ROW_ID_IDLE,
			       .name = "waiting for work",
			       .has_children = true,
			       .is_folded = !live->shows_idle};
	struct live_row *stacks;
	long nr_stacks;

	if (!live->idle)
		return 0;
	nr_stacks = rows__make(&live->selection, &live->ids, live->idle, &stacks);
	if (nr_stacks < 0)
		return (int)nr_stacks;
	free(stacks);
	if (array__reserve(&live->rows, &live->rows_capacity, live->nr_rows + 1))
		return -ENOMEM;
	row.nr_folded = (size_t)nr_stacks;
	row.self = row.total = profile__shown_total(live->idle);
	row.self_squares = row.total_squares = profile__squares(live->idle);
	memmove(live->rows + 1, live->rows, live->nr_rows * sizeof(*live->rows));
	live->rows[0] = row;
	live->nr_rows++;
	return 0;
}

/* True only while the decaying sum is noise, too: a row that comes back must find its place. */
static bool is_noise(const struct live *live, const struct rows_order *order,
		     const struct live_row *row)
{
	return (double)row->total <= live->unit && !order__is_seen(rows_order__sum(order, row->id));
}

/* Moves the noise behind the other rows, and otherwise keeps their order. */
static int part_noise(struct live *live, size_t nr_kept)
{
	const struct rows_order order = live__order(live);
	struct live_row *parted = calloc(live->nr_rows, sizeof(*parted));
	size_t kept = 0, noise = nr_kept;

	if (!parted)
		return -ENOMEM;
	for (size_t i = 0; i < live->nr_rows; i++)
		parted[is_noise(live, &order, &live->rows[i]) ? noise++ : kept++] = live->rows[i];
	free(live->rows);
	live->rows = parted;
	live->rows_capacity = live->nr_rows;
	return 0;
}

static size_t count_noise(const struct live *live, const struct rows_order *order)
{
	size_t nr = 0;

	for (size_t i = 0; i < live->nr_rows; i++)
		nr += is_noise(live, order, &live->rows[i]);
	return nr;
}

/* Adds only self: totals of functions overlap and cannot be added. */
static struct live_row sum_up(const struct live *live, size_t first)
{
	struct live_row sum = {.id = ROW_ID_NOISE,
			       .nr_folded = live->nr_rows - first,
			       .has_children = true,
			       .is_folded = !live->shows_noise};

	for (size_t i = first; i < live->nr_rows; i++) {
		sum.self += live->rows[i].self;
		sum.self_squares += live->rows[i].self_squares;
	}
	return sum;
}

/*
 * Rows that only the baseline has are not noise. Values that are not counts of events have no
 * noise.
 */
static bool has_noise(const struct live *live)
{
	return !live__is_comparing(live) &&
	       metrics__shown(profile__metrics(live->profile))->is_events;
}

int noise__fold(struct live *live)
{
	const struct rows_order order = live__order(live);
	const size_t nr_noise = has_noise(live) ? count_noise(live, &order) : 0;
	const size_t first = live->nr_rows - nr_noise;
	struct live_row sum;

	if (nr_noise < 2 || !first)
		return 0;
	if (part_noise(live, first) ||
	    array__reserve(&live->rows, &live->rows_capacity, live->nr_rows + 1))
		return -ENOMEM;
	sum = sum_up(live, first);
	memmove(live->rows + first + 1, live->rows + first, nr_noise * sizeof(*live->rows));
	live->rows[first] = sum;
	live->nr_rows = sum.is_folded ? first + 1 : live->nr_rows + 1;
	return 0;
}
