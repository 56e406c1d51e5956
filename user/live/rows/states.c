// SPDX-License-Identifier: GPL-2.0-only
#include "live/rows/states.h"

#include "flame/colors.h"

void states__init(struct states *states, const struct selection *selection, struct row_ids *ids,
		  const struct profile *profile)
{
	*states = (struct states){.are_told = profile__tells_waits(profile)};
	for (enum wait_state state = 1; state < WAIT_STATES && states->are_told; state++) {
		const struct wait_choice choice = {.states = state__looks_like(state)};
		struct profile *some;

		if (state__style(state)->state != state)
			continue;
		some = profile__select_waits(profile, &choice);
		series__init(&states->of[state], selection, ids, some);
		profile__free(some);
	}
}

void states__fini(struct states *states)
{
	for (int i = 0; i < WAIT_STATES; i++)
		series__fini(&states->of[i]);
	states->are_told = false;
}

/* Divides the cells: whole cells first, then the remaining ones to the largest fractions. */
static void share_out(double *parts, size_t *cells, size_t nr_cells)
{
	size_t left = nr_cells;

	for (int i = 0; i < WAIT_STATES; i++) {
		cells[i] = (size_t)parts[i];
		parts[i] -= (double)cells[i];
		left -= cells[i];
	}
	while (left--) {
		int most = 0;

		for (int i = 1; i < WAIT_STATES; i++)
			if (parts[i] > parts[most])
				most = i;
		parts[most] = -1;
		cells[most]++;
	}
}

void states__bar(const struct states *states, uint64_t id, uint64_t value, enum wait_state *bar,
		 size_t nr_cells)
{
	double parts[WAIT_STATES] = {(double)nr_cells}; /* of unknown state */
	size_t cells[WAIT_STATES], cell = 0;

	for (int i = 1; i < WAIT_STATES && value; i++) {
		const uint64_t amount = series__value(&states->of[i], id);
		const double part = (double)amount / (double)value * (double)nr_cells;

		parts[i] = part < parts[0] ? part : parts[0];
		parts[0] -= parts[i];
	}
	share_out(parts, cells, nr_cells);
	for (int i = 1; i < WAIT_STATES; i++)
		while (cells[i]--)
			bar[cell++] = (enum wait_state)i;
	while (cell < nr_cells)
		bar[cell++] = WAIT_UNKNOWN;
}
