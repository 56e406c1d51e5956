// SPDX-License-Identifier: GPL-2.0-only
/*
 * order VIEW FILE...: measures how steady the live view is. The files are intervals, oldest first,
 * as `record --rotate` makes them. The program shows them to the live view one after the other, and
 * prints how the first rows of VIEW (1: stacks, 2: functions, 4: processes) behaved:
 *
 *	the rows that moved, a minute: of those on the screen before and after, all that are not in
 *	the longest rising subsequence, which may have stood still;
 *	the share of time in which the row with most samples of all files stood first, and in which
 *	it had samples at all;
 *	how many of the first ten were among the ten with most samples of all files.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/formats.h"
#include "live/live.h"

#define SCREEN	 20
#define FIRST	 10
#define MAX_KEPT 4096
#define NOISE	 UINT64_MAX /* the row of rows that are folded; trees before it have none */

struct seen_picture {
	uint64_t ids[SCREEN];
	size_t nr;
	double seconds;
	bool has_hottest;
};

static int find(const uint64_t *ids, size_t nr, uint64_t id)
{
	for (size_t i = 0; i < nr; i++)
		if (ids[i] == id)
			return (int)i;
	return -1;
}

static size_t count_moves(const struct seen_picture *before, const struct seen_picture *after)
{
	size_t longest[SCREEN], best = 0, nr = 0;
	int places[SCREEN];

	for (size_t i = 0; i < after->nr; i++) {
		places[nr] = find(before->ids, before->nr, after->ids[i]);
		nr += places[nr] >= 0;
	}
	for (size_t i = 0; i < nr; i++) {
		longest[i] = 1;
		for (size_t j = 0; j < i; j++)
			if (places[j] < places[i] && longest[j] + 1 > longest[i])
				longest[i] = longest[j] + 1;
		best = longest[i] > best ? longest[i] : best;
	}
	return nr - best;
}

static int by_value(const void *left, const void *right)
{
	const struct order_item *a = left, *b = right;

	return (a->value < b->value) - (a->value > b->value);
}

/*
 * Finds the ids of the rows with most samples of all files. It reads the rows of the sum, in
 * whatever order they are shown.
 */
static size_t find_truth(struct live *live, uint64_t *ids)
{
	struct order_item *items;
	size_t nr = 0;

	live__set_mode(live, MODE_SUM);
	items = calloc(live->nr_rows + 1, sizeof(*items));
	for (size_t i = 0; items && i < live->nr_rows; i++) {
		const struct live_row *row = &live->rows[i];

		items[i].id = row->id;
		items[i].value = row->id == NOISE ? 0 : row__value(row, &live->selection);
	}
	if (items)
		qsort(items, live->nr_rows, sizeof(*items), by_value);
	for (; items && nr < FIRST && nr < live->nr_rows; nr++)
		ids[nr] = items[nr].id;
	free(items);
	return nr;
}

static int add(struct live *live, const char *path, double *seconds)
{
	struct recording recording = {0};
	struct error err = {0};

	if (formats__read_file(&recording, path, &(struct read_options){0}, &err)) {
		fprintf(stderr, "%s\n", err.text);
		return 1;
	}
	live__add(live, &recording);
	while (live__work(live) > 0)
		;
	*seconds = (double)recording.duration_ns / 1e9;
	recording__fini(&recording);
	return 0;
}

static void take_picture(const struct live *live, uint64_t hottest, struct seen_picture *picture)
{
	for (size_t i = 0; i < SCREEN && i < live->nr_rows; i++)
		picture->ids[picture->nr++] = live->rows[i].id;
	picture->has_hottest = series__find(&live->past[0], hottest) != NULL;
}

static void tell(const struct seen_picture *pictures, size_t nr, const uint64_t *truth,
		 size_t nr_true)
{
	double seconds = 0, on_top = 0, had = 0, among = 0;
	size_t moves = 0;

	for (size_t i = 0; i < nr; i++) {
		seconds += pictures[i].seconds;
		on_top += pictures[i].nr && pictures[i].ids[0] == truth[0];
		had += pictures[i].has_hottest;
		for (size_t j = 0; j < FIRST && j < pictures[i].nr; j++)
			among += find(truth, nr_true, pictures[i].ids[j]) >= 0;
		if (i)
			moves += count_moves(&pictures[i - 1], &pictures[i]);
	}
	printf("%zu pictures in %.0f s: %.1f moves a minute, hottest on top %.0f %% (has samples "
	       "in "
	       "%.0f %%), %.1f of the first %d right\n",
	       nr, seconds, (double)moves * 60 / seconds, 100 * on_top / (double)nr,
	       100 * had / (double)nr, among / (double)nr, FIRST);
}

static void begin(struct live *live, const char *view)
{
	live__init(live, (size_t)256 << 20);
	live__resize(live, SCREEN, 80);
	live__set_view(live, (enum view)(atoi(view) - 1));
}

int main(int argc, char **argv)
{
	static struct seen_picture pictures[MAX_KEPT];
	size_t nr = argc > 2 ? (size_t)argc - 2 : 0, nr_true;
	uint64_t truth[FIRST] = {0};
	struct live live;

	if (!nr || nr > MAX_KEPT)
		return 2;
	begin(&live, argv[1]);
	for (size_t i = 0; i < nr; i++)
		if (add(&live, argv[i + 2], &pictures[i].seconds))
			return 1;
	nr_true = find_truth(&live, truth);
	live__fini(&live);
	begin(&live, argv[1]);
	for (size_t i = 0; i < nr; i++) {
		if (add(&live, argv[i + 2], &pictures[i].seconds))
			return 1;
		take_picture(&live, truth[0], &pictures[i]);
	}
	tell(pictures, nr, truth, nr_true);
	live__fini(&live);
	return 0;
}
