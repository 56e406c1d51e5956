// SPDX-License-Identifier: GPL-2.0-only
#include "live/errors.h"

#define ERRORS_FROM 84 /* columns: narrower tables have no room for error bars */

/* Lists the last intervals of the shown event as its slices. NULL: out of memory. */
static struct profile **list_intervals(const struct live *live, size_t *nr)
{
	const struct history *history = &live->history;
	const size_t first =
		history->nr_intervals > MAX_INTERVALS ? history->nr_intervals - MAX_INTERVALS : 0;
	struct profile **slices = calloc(MAX_INTERVALS, sizeof(struct profile *));

	*nr = history->nr_intervals - first;
	for (size_t i = 0; slices && i < *nr; i++)
		slices[i] = history->intervals[first + i].recording.profile;
	return slices;
}

/*
 * The number of units in an independent sample. In a decaying sum, fractions of samples count:
 * older ones weigh less, but there are more of them.
 */
static double grain_of(const struct live *live)
{
	const double worth = live->unit == DECAY_UNIT ? 1 + ORDER_DECAY : 1;

	return live->unit / worth;
}

static int learn_certainty(struct live *live)
{
	struct recording recording = live->picture->recording;
	int code = -ENOMEM;

	recording.slices = list_intervals(live, &recording.nr_slices);
	if (recording.slices)
		code = certainty__init(&live->certainty, &recording, 0);
	live->certainty.grain = grain_of(live);
	live->certainty.samples /= live->certainty.grain;
	free(recording.slices);
	return code;
}

/* True if rows have no samples in common. Totals and the branches of a tree do. */
static bool are_disjoint(const struct live *live)
{
	const struct selection *selection = &live->selection;
	const bool has_totals =
		selection->view == VIEW_FUNCTIONS || selection->view == VIEW_MODULES;

	return selection->view < VIEW_FLAMES && selection->view != VIEW_TREE &&
	       !(has_totals && selection->by_total);
}

static bool stands_for_itself(const struct live_row *row)
{
	return row->id != ROW_ID_IDLE && !row->nr_folded;
}

static int find_ties(struct live *live)
{
	struct portion *parts = calloc(live->nr_rows + 1, sizeof(*parts));

	live->ties = calloc(live->nr_rows + 1, sizeof(*live->ties));
	if (!parts || !live->ties) {
		free(parts);
		return -ENOMEM;
	}
	for (size_t i = 0; i < live->nr_rows; i++)
		if (stands_for_itself(&live->rows[i]))
			parts[i] = (struct portion){
				(double)row__value(&live->rows[i], &live->selection),
				row__squares(&live->rows[i], &live->selection)};
	certainty__tie(&live->certainty, parts, live->nr_rows, live->ties);
	free(parts);
	return 0;
}

int errors__learn(struct live *live)
{
	const int code = learn_certainty(live);

	if (code || live->certainty.lack || !are_disjoint(live))
		return code;
	return find_ties(live);
}

bool errors__are_shown(const struct live *live, size_t nr_columns)
{
	return !live->certainty.lack && live->errors != ERRORS_NEVER &&
	       (live->errors == ERRORS_ALWAYS || nr_columns >= ERRORS_FROM);
}

void errors__toggle(struct live *live)
{
	live->errors = errors__are_shown(live, live->table_columns) ? ERRORS_NEVER : ERRORS_ALWAYS;
}
