// SPDX-License-Identifier: GPL-2.0-only
#include "live/noise.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* Any longer, and it is a part of the picture: a row that comes back must find its place. */
static bool is_noise(const struct live *live, const struct rows_order *order,
		     const struct live_row *row)
{
	return (double)row->total <= live->unit && !order__is_seen(rows_order__sum(order, row->id));
}

/* Those that are noise go behind those that are not; otherwise rows stay as they are. */
static int part(struct live *live, size_t nr_kept)
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

/* Of functions, totals have nothing in common that could be added. */
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

/* What only the baseline of a comparison has is no noise; nor is what is no count of events. */
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
	if (part(live, first) ||
	    array__reserve(&live->rows, &live->rows_capacity, live->nr_rows + 1))
		return -ENOMEM;
	sum = sum_up(live, first);
	memmove(live->rows + first + 1, live->rows + first, nr_noise * sizeof(*live->rows));
	live->rows[first] = sum;
	live->nr_rows = sum.is_folded ? first + 1 : live->nr_rows + 1;
	return 0;
}
