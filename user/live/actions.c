// SPDX-License-Identifier: GPL-2.0-only
#include "live/live.h"

#include "live/branches.h"
#include "profile/select/filter.h"

/* ---- what is shown ---- */

static void follow_first(struct live *live)
{
	live->selected = ROW_ID_NONE;
	live->cursor = live->top = 0;
}

int live__set_view(struct live *live, enum view view)
{
	if (view == live->selection.view)
		return 0;
	live->selection.view = view;
	follow_first(live);
	return live__turn_to(live);
}

int live__set_mode(struct live *live, enum mode mode)
{
	live->mode = mode;
	live->stepped = false;
	history__release(&live->history, HELD_FROZEN);
	return live__turn_to(live);
}

int live__set_merge(struct live *live, enum merge merge)
{
	if (live->selection.view == VIEW_PROCESSES)
		live->selection.owners = merge;
	else
		live->selection.merge = merge;
	return live__select_anew(live);
}

int live__reverse(struct live *live)
{
	live->selection.direction =
		live->selection.direction == TREE_FROM_ROOT ? TREE_FROM_LEAF : TREE_FROM_ROOT;
	follow_first(live);
	return live__select_anew(live);
}

int live__toggle_total(struct live *live)
{
	live->selection.by_total = !live->selection.by_total;
	return live__select_anew(live);
}

int live__hide(struct live *live, bool kernel, bool user)
{
	live->selection.hides_kernel = kernel;
	live->selection.hides_user = user;
	return live__select_anew(live);
}

int live__set_pattern(struct live *live, const char *pattern, struct error *err)
{
	struct filter filter;
	int code;

	if (strlen(pattern) >= sizeof(live->selection.pattern))
		return error__say(err, EXIT_USAGE, -EINVAL, "too long");
	if (*pattern) {
		code = filter__init(&filter, live->history.dictionary, pattern, err);
		if (code)
			return code;
		filter__fini(&filter);
	}
	snprintf(live->selection.pattern, sizeof(live->selection.pattern), "%s", pattern);
	return live__select_anew(live);
}

int live__set_waits(struct live *live, const char *states, const char *kinds, struct error *err)
{
	struct selection *selection = &live->selection;
	struct wait_choice choice = {0};
	int code;

	if (strlen(states) >= sizeof(selection->states) ||
	    strlen(kinds) >= sizeof(selection->kinds))
		return error__say(err, EXIT_USAGE, -EINVAL, "too long");
	code = wait_choice__parse(&choice, *states ? states : NULL, *kinds ? kinds : NULL, err);
	if (code)
		return code;
	selection->waits = choice;
	memmove(selection->states, states, strlen(states) + 1);
	memmove(selection->kinds, kinds, strlen(kinds) + 1);
	return live__select_anew(live);
}

int live__zoom(struct live *live)
{
	struct row_place place = live__place(live);

	if (place.id == ROW_ID_NONE || place.id == ROW_ID_IDLE ||
	    live->selection.nr_zooms == MOST_ZOOMS)
		return 0;
	live->selection.zooms[live->selection.nr_zooms++] = place;
	return live__select_anew(live);
}

int live__unzoom(struct live *live)
{
	if (!live->selection.nr_zooms)
		return 0;
	live->selection.nr_zooms--;
	return live__select_anew(live);
}

int live__sort(struct live *live)
{
	live__forget_order(live);
	return live__refresh(live);
}

/* Another event has other rows. */
int live__next_event(struct live *live, const char **event)
{
	const struct recording *next = live->picture ? live->picture->recording.more : NULL;

	*event = next ? next->facts[FACT_EVENT] : NULL;
	if (!*event)
		return 0;
	history__show_event(&live->history, *event);
	*event = live->history.event;
	follow_first(live);
	return live__select_anew(live);
}

/* ---- time ---- */

/* Holds a copy, which stays when the interval itself is dropped for newer ones. */
static void hold(struct live *live, const struct kept *kept, double unit)
{
	live->held_unit = unit;
	history__hold(&live->history, HELD_FROZEN, kept);
}

int live__freeze(struct live *live, bool frozen)
{
	if (!frozen) {
		live->stepped = false;
		history__release(&live->history, HELD_FROZEN);
	} else if (live->picture) {
		if (live->mode == MODE_INTERVAL)
			live->stepped = true;
		hold(live, live->picture, live->unit);
	}
	return live__refresh(live);
}

int live__step(struct live *live, int by)
{
	const struct kept *to;
	uint64_t number;

	if (!live->picture)
		return 0;
	number = live->picture->number;
	to = history__find(&live->history, by < 0 ? number - 1 : number + 1);
	if (by < 0 && to->number > number)
		return 0; /* the shown interval is older than all kept ones */
	live->stepped = true;
	hold(live, to, 1);
	return live__refresh(live);
}

int live__end(struct live *live)
{
	const struct kept *before;

	if (!live->picture || live->mode != MODE_INTERVAL || live__is_frozen(live))
		return 0;
	before = history__before(&live->history, live->picture);
	if (!before || live->picture->recording.duration_ns >= before->recording.duration_ns / 2)
		return 0;
	return live__step(live, -1);
}

int live__compare(struct live *live, bool on)
{
	if (!on) {
		history__release(&live->history, HELD_BASELINE);
	} else if (live->picture) {
		live->baseline_unit = live->unit;
		history__hold(&live->history, HELD_BASELINE, live->picture);
	}
	return live__refresh(live);
}

int live__reset(struct live *live)
{
	history__reset(&live->history);
	live->stepped = false;
	history__release(&live->history, HELD_FROZEN);
	history__release(&live->history, HELD_BASELINE);
	map__clear(&live->folds);
	follow_first(live);
	return live__select_anew(live);
}

/* ---- folds ---- */

int live__fold(struct live *live, bool folded)
{
	const struct live_row *row =
		live->cursor < live->nr_rows ? &live->rows[live->cursor] : NULL;

	if (!row || (!row->nr_folded && live->selection.view != VIEW_TREE))
		return 0;
	live->selected = row->id;
	if (live->selected == ROW_ID_IDLE) {
		live->shows_idle = !folded;
		return live__turn_to(live);
	}
	if (live->selected == ROW_ID_NOISE)
		live->shows_noise = !folded;
	else
		branches__fold(live, live->selected, folded);
	return live__refresh(live);
}

int live__fold_all(struct live *live, bool folded)
{
	size_t nr_rows;
	int code = 0;

	if (live->selection.view != VIEW_TREE)
		return 0;
	do {
		nr_rows = live->nr_rows;
		for (size_t i = 0; i < live->nr_rows; i++)
			branches__fold(live, live->rows[i].id, folded);
		code = live__refresh(live);
	} while (!code && !folded && live->nr_rows > nr_rows);
	return code;
}
