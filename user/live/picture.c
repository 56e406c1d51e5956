// SPDX-License-Identifier: GPL-2.0-only
#include "live/live.h"

#include "live/branches.h"
#include "live/errors.h"
#include "live/noise.h"

void live__init(struct live *live, size_t max_bytes)
{
	*live = (struct live){
		.unit = 1, .nr_lines = 1, .columns = 80, .selection.owners = MERGE_BY_PROCESS};
	map__init_numbers(&live->folds, free);
	history__init(&live->history, max_bytes);
}

static void forget_past(struct live *live)
{
	for (size_t i = 0; i < MOST_PAST; i++)
		series__fini(&live->past[i]);
	series__fini(&live->baseline);
	series__fini(&live->decayed);
}

static void drop_picture(struct live *live)
{
	free(live->rows);
	free(live->ties);
	free(live->boxes);
	tree__free(live->tree);
	profile__free(live->let_through);
	profile__free(live->idle);
	profile__free(live->others);
	states__fini(&live->states);
	live->rows = NULL;
	live->ties = NULL;
	live->boxes = NULL;
	live->tree = NULL;
	live->let_through = live->idle = live->others = NULL;
	live->profile = NULL;
	live->picture = NULL;
	live->nr_rows = live->nr_boxes = live->rows_capacity = 0;
	live->hottest_place.id = ROW_ID_NONE;
}

void live__fini(struct live *live)
{
	drop_picture(live);
	forget_past(live);
	live__forget_order(live);
	map__fini(&live->folds);
	row_ids__clear(&live->ids);
	history__fini(&live->history);
	free(live->target);
}

/* ---- the samples ---- */

double live__unit_of(const struct live *live, const struct kept *kept)
{
	if (kept == &live->history.held[HELD_FROZEN])
		return live->held_unit;
	if (kept == &live->history.held[HELD_BASELINE])
		return live->baseline_unit;
	return kept == &live->history.decayed ? DECAY_UNIT : 1;
}

static int apply_selection(struct live *live, const struct kept *kept, struct profile **made)
{
	struct error err = {0};

	*made = NULL;
	if (selection__is_clear(&live->selection))
		return 0;
	return selection__apply(&live->selection, &live->ids, kept->recording.profile, made, &err);
}

/* Makes the profile that rows are made of. */
static int select_listed(struct live *live, const struct kept *kept, struct profile **made)
{
	const int code = apply_selection(live, kept, made);

	if (!code)
		idle__leave_out(live, kept, made);
	return code;
}

/* ---- the rows ---- */

/* Adds rows that only the baseline has: they changed the most. */
static void add_baseline_rows(struct live *live, const struct profile *profile)
{
	struct series present;
	struct live_row *more;
	const size_t nr = rows__make(&live->selection, &live->ids, profile, &more);

	series__init(&present, &live->selection, &live->ids, live__listed(live));
	array__reserve(&live->rows, &live->rows_capacity, live->nr_rows + nr);
	for (size_t i = 0; i < nr; i++) {
		if (series__find(&present, more[i].id))
			continue;
		live->rows[live->nr_rows] = more[i];
		live->rows[live->nr_rows].self = live->rows[live->nr_rows].total = 0;
		live->nr_rows++;
	}
	series__fini(&present);
	free(more);
}

/* Makes the series of the baseline under the same selection, and adds its rows. */
static int add_baseline(struct live *live)
{
	const struct kept *kept = &live->history.held[HELD_BASELINE];
	struct profile *made;
	const struct profile *profile;
	int code;

	series__fini(&live->baseline);
	if (!kept->number)
		return 0;
	code = select_listed(live, kept, &made);
	if (code)
		return code;
	profile = made ? made : kept->recording.profile;
	series__init(&live->baseline, &live->selection, &live->ids, profile);
	live->baseline.number = kept->number;
	live->baseline.whole = profile__shown_total(kept->recording.profile);
	if (live->selection.view != VIEW_TREE && live->selection.view != VIEW_FLAMES)
		add_baseline_rows(live, profile);
	profile__free(made);
	return 0;
}

struct rows_order live__order(struct live *live)
{
	const double weight = live->picture ? live__sample_weight(live) : 1;

	return (struct rows_order){
		.order = &live->orders[live->selection.view],
		.selection = &live->selection,
		.decayed = &live->decayed,
		.unit = live->unit * weight,
		.weight = weight,
	};
}

/* While the picture is frozen, so is its order. */
static int make_decayed(struct live *live)
{
	const struct kept *kept = &live->history.decayed;
	struct profile *made;
	int code;

	if (live->selection.view == VIEW_FLAMES || live->decayed.number == kept->number ||
	    (live->decayed.number && live__is_frozen(live)))
		return 0;
	series__fini(&live->decayed);
	code = select_listed(live, kept, &made);
	if (!code)
		series__init(&live->decayed, &live->selection, &live->ids,
			     made ? made : kept->recording.profile);
	live->decayed.number = kept->number;
	profile__free(made);
	return code;
}

static int make_rows(struct live *live)
{
	const struct selection *selection = &live->selection;
	const bool is_tree = selection->view == VIEW_TREE,
		   is_flames = selection->view == VIEW_FLAMES;
	struct rows_order order;
	int code;

	if (is_tree || is_flames)
		live->tree = tree__new(live->profile, selection->merge, selection->direction);
	if (is_flames) {
		live->nr_boxes = flames__lay_out(live->tree, live->columns, &live->boxes);
	} else if (is_tree) {
		branches__list(live);
	} else {
		live->nr_rows = live->rows_capacity =
			rows__make(selection, &live->ids, live__listed(live), &live->rows);
	}
	code = add_baseline(live);
	if (!code && !is_flames)
		states__init(&live->states, selection, &live->ids, live__listed(live));
	if (code || is_tree || is_flames)
		return code;
	order = live__order(live);
	rows__arrange(live->rows, live->nr_rows, &order);
	noise__fold(live);
	idle__add_row(live);
	return 0;
}

/* ---- the past ---- */

static int make_series(struct live *live, struct series *series, const struct kept *kept)
{
	const struct recording *recording = &kept->recording;
	const struct metrics *metrics = profile__metrics(recording->profile);
	const double seconds = (double)recording->duration_ns / 1e9;
	const uint64_t unit_ns = metric__unit_ns(metrics__shown(metrics));
	struct profile *made;
	int code = select_listed(live, kept, &made);

	if (!code)
		series__init(series, &live->selection, &live->ids,
			     made ? made : recording->profile);
	series->number = kept->number;
	series->whole = profile__shown_total(recording->profile);
	series->shown = metrics->shown;
	/* A number of samples, or what they stand for. */
	if (recording->asked_hz <= 0 || metrics->shown == VALUE_COUNT)
		series->expected = recording->asked_hz * seconds;
	else
		series->expected = unit_ns ? seconds * 1e9 / (double)unit_ns : 0;
	profile__free(made);
	return code;
}

int live__work(struct live *live)
{
	uint64_t last = live->picture ? live->picture->number : 0;
	const struct kept *kept;
	int code;

	for (size_t i = 0; i < MOST_PAST && i < last; i++) {
		if (live->past[i].number)
			continue;
		kept = history__find(&live->history, last - i);
		if (!kept || kept->number != last - i)
			break; /* no longer kept */
		code = make_series(live, &live->past[i], kept);
		return code ? code : 1;
	}
	code = history__work(&live->history);
	if (code < 2)
		return code;
	row_ids__clear(&live->ids);
	code = live__refresh(live);
	return code ? code : 1;
}

/* ---- the whole picture ---- */

/* Moves the series that are still needed to their places. live__work() makes the others. */
static void align_past(struct live *live)
{
	const struct kept *picture = live->picture;
	struct series moved[MOST_PAST] = {0};

	for (size_t i = 0; i < MOST_PAST; i++) {
		struct series *series = &live->past[i];

		if (picture && series->number && series->number <= picture->number &&
		    picture->number - series->number < MOST_PAST &&
		    series->shown == profile__metrics(picture->recording.profile)->shown)
			moved[picture->number - series->number] = *series;
		else
			series__fini(series);
	}
	memcpy(live->past, moved, sizeof(moved));
}

int live__refresh(struct live *live)
{
	const struct history *history = &live->history;
	const struct kept *kept = history__find(history, UINT64_MAX);
	int code;

	drop_picture(live);
	if (history->held[HELD_FROZEN].number)
		kept = &history->held[HELD_FROZEN];
	else if (kept && live->mode == MODE_SUM)
		kept = &history->sum;
	else if (kept && live->mode == MODE_DECAYED)
		kept = &history->decayed;
	live->picture = kept;
	live->unit = live__unit_of(live, kept);
	align_past(live);
	if (!live->picture)
		return 0;
	code = apply_selection(live, live->picture, &live->let_through);
	live->profile = live->let_through ? live->let_through : live->picture->recording.profile;
	if (!code)
		idle__part(live);
	if (!code)
		code = make_decayed(live);
	if (!code)
		code = make_rows(live);
	if (!code)
		errors__learn(live);
	live__find_cursor(live);
	return code;
}

void live__forget_order(struct live *live)
{
	for (int i = 0; i < VIEWS; i++)
		order__clear(&live->orders[i]);
}

int live__turn_to(struct live *live)
{
	forget_past(live);
	return live__refresh(live);
}

int live__select_anew(struct live *live)
{
	live__forget_order(live);
	return live__turn_to(live);
}

int live__add(struct live *live, const struct recording *interval)
{
	const char *target = interval->facts[FACT_TARGET];

	free(live->target);
	live->target = xstrdup(target ? target : "");
	history__add(&live->history, interval);
	return live__refresh(live);
}

int live__resize(struct live *live, size_t nr_lines, uint32_t columns)
{
	bool same = columns == live->columns || live->selection.view != VIEW_FLAMES;

	live->nr_lines = nr_lines ? nr_lines : 1;
	live->columns = columns;
	if (!same)
		return live__refresh(live);
	live__find_cursor(live);
	return 0;
}
