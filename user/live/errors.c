// SPDX-License-Identifier: GPL-2.0-only
#include "live/errors.h"

#define ERRORS_FROM 84 /* columns: narrower tables have no room for error bars */

void errors__learn(struct live *live)
{
	const struct history *history = &live->history;
	const struct selection *selection = &live->selection;
	const size_t nr =
		history->nr_intervals < MAX_INTERVALS ? history->nr_intervals : MAX_INTERVALS;
	const struct kept *last = history->intervals + (history->nr_intervals - nr);
	const bool has_totals =
		selection->view == VIEW_FUNCTIONS || selection->view == VIEW_MODULES;
	struct recording recording = live->picture->recording;
	struct portion *parts;

	/* The last intervals of the shown event are its slices. */
	recording.nr_slices = nr;
	recording.slices = xcalloc(MAX_INTERVALS, sizeof(struct profile *));
	for (size_t i = 0; i < nr; i++)
		recording.slices[i] = last[i].recording.profile;
	certainty__init(&live->certainty, &recording, 0);
	free(recording.slices);
	/* In a decaying sum, older samples weigh less, but there are more of them. */
	live->certainty.grain = live->unit / (live->unit == DECAY_UNIT ? 1 + ORDER_DECAY : 1);
	live->certainty.samples /= live->certainty.grain;

	/* Totals and the branches of a tree have samples in common. */
	if (live->certainty.lack || selection->view >= VIEW_FLAMES ||
	    selection->view == VIEW_TREE || (has_totals && selection->by_total))
		return;
	parts = xcalloc(live->nr_rows + 1, sizeof(*parts));
	live->ties = xcalloc(live->nr_rows + 1, sizeof(*live->ties));
	for (size_t i = 0; i < live->nr_rows; i++) {
		const struct live_row *row = &live->rows[i];

		if (row->id != ROW_ID_IDLE && !row->nr_folded)
			parts[i] = (struct portion){(double)row__value(row, selection),
						    row__squares(row, selection)};
	}
	certainty__tie(&live->certainty, parts, live->nr_rows, live->ties);
	free(parts);
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
