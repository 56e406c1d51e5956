// SPDX-License-Identifier: GPL-2.0-only
/* The live view's pictures: rows and their past, time, focus, folds and the cursor. */
#include "live/live.h"
#include "live_model.h"

static char text[8192];

/* Rows as "name self/total", first to last; of stacks the leaf and its count. */
static const char *rows(const struct live *live)
{
	FILE *out = fmemopen(text, sizeof(text), "w");

	for (size_t i = 0; i < live->nr_rows; i++) {
		const struct live_row *row = &live->rows[i];
		const struct dictionary *dictionary = profile__dictionary(live->profile);
		size_t nr_frames;
		const uint32_t *frames;

		fprintf(out, "%s", i ? " | " : "");
		if (live->selection.view != VIEW_STACKS) {
			fprintf(out, "%*s%s%s %lu/%lu", 2 * (int)row->indent, "",
				row->has_children && row->is_folded ? "+" : "", row->name,
				row->self, row->total);
			continue;
		}
		frames = dictionary__stack(dictionary, row->stack, &nr_frames);
		fprintf(out, "%s %lu",
			nr_frames ? dictionary__frame_name(dictionary, frames[0]) : "-",
			row->total);
	}
	fputc('\0', out);
	fclose(out);
	return text;
}

static struct live begin(void)
{
	struct live live;

	live__init(&live, 1 << 20);
	EXPECT_EQ(live__resize(&live, 10, 80), 0);
	return live;
}

static double change_of(const struct live *live, size_t row, bool *is_noise)
{
	double percent = -1000;

	EXPECT(live__change(live, &live->rows[row], &percent, is_noise));
	return percent;
}

static void test_views(void)
{
	struct live live = begin();
	struct model model = model__new();

	add(&model, "redis", 1, 60, "copy@[kernel] write@libc send@redis main@redis");
	add(&model, "redis", 1, 30, "send@redis main@redis");
	add(&model, "cron", 2, 10, "main@cron");
	give(&live, &model);
	EXPECT_STR(rows(&live), "copy 60 | send 30 | main 10");
	live__set_view(&live, VIEW_FUNCTIONS);
	EXPECT_STR(rows(&live), "copy 60/60 | send 30/90 | main 10/10 | main 0/90 | write 0/60");
	live__toggle_total(&live);
	EXPECT_STR(rows(&live), "send 30/90 | main 0/90 | copy 60/60 | write 0/60 | main 10/10");
	live__set_view(&live, VIEW_PROCESSES);
	EXPECT_STR(rows(&live), "redis (1) 90/90 | cron (2) 10/10");
	live__set_merge(&live, MERGE_BY_COMM);
	EXPECT_STR(rows(&live), "redis 90/90 | cron 10/10");
	live__set_view(&live, VIEW_MODULES);
	EXPECT_STR(rows(&live), "redis 30/90 | [kernel] 60/60 | libc 0/60 | cron 10/10");
	live__set_view(&live, VIEW_TREE);
	EXPECT_STR(rows(&live), "redis 30/90 |   write 60/60 | cron 10/10");
	live__reverse(&live);
	EXPECT_STR(rows(&live), "copy 60/60 | send 30/30 | main 10/10");
	EXPECT_EQ(live__whole(&live), 100);
	live__fini(&live);
}

static void test_order_and_cursor(void)
{
	struct live live = begin();

	live__set_view(&live, VIEW_FUNCTIONS);
	GIVE(&live, 100, 80, 20);
	EXPECT_STR(rows(&live), "a 100/100 | b 80/80 | c 20/20 | main 0/200");
	live__move(&live, 1);
	EXPECT_STR(live.rows[live.cursor].name, "b");
	GIVE(&live, 80, 100, 20); /* noise */
	EXPECT_STR(rows(&live), "a 80/80 | b 100/100 | c 20/20 | main 0/200");
	GIVE(&live, 40, 100, 300); /* no noise */
	EXPECT_STR(rows(&live), "c 300/300 | b 100/100 | a 40/40 | main 0/440");
	EXPECT_STR(live.rows[live.cursor].name, "b");
	GIVE(&live, 400, 0, 300); /* it is gone: the cursor stays in its place */
	EXPECT_EQ(live.cursor, 1);
	GIVE(&live, 400, 100, 300); /* and is found again */
	EXPECT_STR(live.rows[live.cursor].name, "b");
	live__move_to(&live, 0); /* from here on the first row, whichever it is */
	GIVE(&live, 100, 900, 300);
	EXPECT_EQ(live.cursor, 0);
	live__fini(&live);
}

static void test_scrolling(void)
{
	struct live live = begin();
	uint64_t counts[26];

	for (int i = 0; i < 26; i++)
		counts[i] = (uint64_t)(1000 - 10 * i);
	live__set_view(&live, VIEW_FUNCTIONS);
	give_counts(&live, counts, 26);
	live__move(&live, 12);
	EXPECT_EQ(live.cursor, 12);
	EXPECT_EQ(live.top, 3);
	live__move(&live, -100);
	EXPECT_EQ(live.top, 0);
	live__move_to(&live, SIZE_MAX);
	EXPECT_EQ(live.cursor, 26);
	EXPECT_EQ(live.top, 17);
	live__resize(&live, 5, 80);
	EXPECT_EQ(live.top, 22);
	live__resize(&live, 100, 80);
	EXPECT_EQ(live.top, 0);
	live__fini(&live);
}

static void test_change(void)
{
	struct live live = begin();
	double busy[MOST_PAST];
	bool is_noise;

	live__set_view(&live, VIEW_FUNCTIONS);
	GIVE(&live, 50, 50);
	EXPECT(!live__change(&live, &live.rows[0], busy, &is_noise));
	EXPECT(!live__is_new(&live, live.rows[0].id));
	GIVE(&live, 52, 48);
	EXPECT_NEAR(change_of(&live, 0, &is_noise), 2, 1e-9);
	EXPECT(is_noise);
	GIVE(&live, 10, 10, 80);
	EXPECT_STR(live.rows[0].name, "c");
	EXPECT(live__is_new(&live, live.rows[0].id));
	EXPECT_NEAR(change_of(&live, 1, &is_noise), -42, 1e-9);
	EXPECT(!is_noise);
	EXPECT(!live__is_new(&live, live.rows[1].id));
	EXPECT_EQ(live__spark(&live, live.rows[1].id, busy), 3);
	EXPECT_NEAR(busy[0], 50 / 99.0, 1e-9); /* of a CPU: 99 samples a second */
	EXPECT_NEAR(busy[2], 10 / 99.0, 1e-9);
	live__fini(&live);
}

static void test_time(void)
{
	struct live live = begin();

	live__set_view(&live, VIEW_FUNCTIONS);
	GIVE(&live, 10);
	GIVE(&live, 20);
	GIVE(&live, 30);
	EXPECT_STR(rows(&live), "a 30/30 | main 0/30");
	live__step(&live, -1);
	EXPECT_STR(rows(&live), "a 20/20 | main 0/20");
	EXPECT(live__is_frozen(&live));
	GIVE(&live, 40);
	EXPECT_STR(rows(&live), "a 20/20 | main 0/20");
	live__step(&live, -1);
	live__step(&live, -1);
	EXPECT_STR(rows(&live), "a 10/10 | main 0/10");
	live__step(&live, 1);
	EXPECT_STR(rows(&live), "a 20/20 | main 0/20");
	live__freeze(&live, false);
	EXPECT_STR(rows(&live), "a 40/40 | main 0/40");
	live__set_mode(&live, MODE_SUM);
	EXPECT_STR(rows(&live), "a 100/100 | main 0/100");
	live__freeze(&live, true);
	GIVE(&live, 50);
	EXPECT_STR(rows(&live), "a 100/100 | main 0/100");
	live__freeze(&live, false);
	EXPECT_STR(rows(&live), "a 150/150 | main 0/150");
	live__reset(&live);
	EXPECT_EQ(live.nr_rows, 0);
	GIVE(&live, 7);
	EXPECT_STR(rows(&live), "a 7/7 | main 0/7");
	live__fini(&live);
}

/* The rest of the last interval when the target ends is no picture to remember. */
static void test_end(void)
{
	struct live live = begin();

	GIVE(&live, 10);
	GIVE(&live, 20);
	live__end(&live);
	EXPECT_STR(rows(&live), "a 20");
	live.history.intervals[1].recording.duration_ns = 1000;
	live__end(&live);
	EXPECT_STR(rows(&live), "a 10");
	live__fini(&live);
}

/* Half of 1,000 samples are left after four more intervals. */
static void test_decay(void)
{
	struct live live = begin();

	live__set_view(&live, VIEW_FUNCTIONS);
	live__set_mode(&live, MODE_DECAYED);
	GIVE(&live, 1000);
	EXPECT_NEAR((double)live.rows[0].self / live.unit, 1000, 1e-9);
	for (int i = 0; i < DECAY_HALF; i++)
		GIVE(&live, 0, 1000);
	EXPECT_STR(live.rows[0].name, "b");
	for (size_t i = 0; i < live.nr_rows; i++)
		if (*live.rows[i].name == 'a')
			EXPECT_NEAR((double)live.rows[i].self / live.unit, 500, 1);
	for (int i = 0; i < 80; i++)
		GIVE(&live, 0, 1000);
	EXPECT_EQ(live.nr_rows, 2); /* nothing stays for ever */
	EXPECT_NEAR((double)live.rows[0].self / live.unit, 1000 / (1 - 0.8408964), 2);
	live__fini(&live);
}

static void test_compare(void)
{
	struct live live = begin();
	bool is_noise;

	live__set_view(&live, VIEW_FUNCTIONS);
	GIVE(&live, 80, 20);
	live__compare(&live, true);
	GIVE(&live, 0, 50, 50);
	GIVE(&live, 0, 90, 10);
	EXPECT_STR(rows(&live), "b 90/90 | c 10/10 | a 0/0 | main 0/100");
	EXPECT_NEAR(change_of(&live, 0, &is_noise), 70, 1e-9);
	EXPECT_NEAR(change_of(&live, 2, &is_noise), -80, 1e-9);
	EXPECT(!is_noise);
	live__step(&live, -1);
	EXPECT_NEAR(change_of(&live, 0, &is_noise), 30, 1e-9);
	live__compare(&live, false);
	EXPECT_EQ(live.nr_rows, 3);
	live__fini(&live);
}

static void test_focus(void)
{
	struct live live = begin();
	struct model model = model__new();
	struct error err = {0};

	add(&model, "redis", 1, 60, "copy@[kernel] write@libc main@redis");
	add(&model, "redis", 1, 30, "send@redis main@redis");
	add(&model, "cron", 2, 10, "idle@[kernel]");
	give(&live, &model);
	EXPECT_EQ(live__set_pattern(&live, "^lib", &err), 0);
	EXPECT_STR(metrics__shown(profile__metrics(live.profile))->name, "samples");
	EXPECT_STR(rows(&live), "copy 60");
	EXPECT_EQ(live__whole(&live), 100);
	EXPECT_EQ(live__let_through(&live), 60);
	EXPECT_EQ(live__set_pattern(&live, "cro|sen", &err), 0);
	EXPECT_STR(rows(&live), "send 30 | idle 10");
	EXPECT_EQ(live__set_pattern(&live, "(", &err), -22);
	EXPECT(strstr(err.text, "regular expression") != NULL);
	EXPECT_STR(rows(&live), "send 30 | idle 10");
	EXPECT_EQ(live__set_pattern(&live, "", &err), 0);
	live__hide(&live, true, false);
	EXPECT_STR(rows(&live), "write 60 | send 30");
	live__hide(&live, false, true);
	EXPECT_STR(rows(&live), "copy 60 | idle 10");
	live__hide(&live, false, false);
	EXPECT_STR(rows(&live), "copy 60 | send 30 | idle 10");
	live__fini(&live);
}

/* In every view a zoom into a row leaves the samples of the row, and every other view follows. */
static void test_zoom(void)
{
	static const uint64_t expected[VIEWS] = {
		[VIEW_STACKS] = 30,    [VIEW_FUNCTIONS] = 30, [VIEW_TREE] = 30,
		[VIEW_PROCESSES] = 10, [VIEW_MODULES] = 60,
	};

	for (int view = VIEW_STACKS; view < VIEW_FLAMES; view++) {
		struct live live = begin();
		struct model model = model__new();

		add(&model, "redis", 1, 60, "copy@[kernel] write@libc main@redis");
		add(&model, "redis", 1, 30, "send@redis main@redis");
		add(&model, "cron", 2, 10, "idle@cron");
		give(&live, &model);
		live__set_view(&live, (enum view)view);
		for (size_t i = 0; i < live.nr_rows; i++)
			if (row__value(&live.rows[i], &live.selection) == expected[view])
				live__move_to(&live, i);
		if (view == VIEW_MODULES)
			live__move_to(&live, 0);
		live__zoom(&live);
		EXPECT_EQ(live__let_through(&live), expected[view]);
		live__set_view(&live, VIEW_STACKS);
		EXPECT_EQ(live__let_through(&live), expected[view]);
		live__unzoom(&live);
		EXPECT_EQ(live__let_through(&live), 100);
		live__fini(&live);
	}
}

static void give_tree(struct live *live)
{
	struct model model = model__new();

	add(&model, "redis", 1, 50, "get@redis call@redis main@redis");
	add(&model, "redis", 1, 47, "set@redis call@redis main@redis");
	add(&model, "redis", 1, 2, "x@redis cron@redis main@redis");
	add(&model, "redis", 1, 1, "y@redis cron@redis main@redis");
	give(live, &model);
}

static void test_folds(void)
{
	struct live live = begin();

	live__set_view(&live, VIEW_TREE);
	give_tree(&live);
	EXPECT_STR(rows(&live), "redis 0/100 |   call 0/97 |     get 50/50 |     set 47/47 "
				"|   +cron 0/3");
	live__move_to(&live, 4);
	live__fold(&live, false);
	EXPECT_STR(rows(&live), "redis 0/100 |   call 0/97 |     get 50/50 |     set 47/47 "
				"|   cron 0/3 |     x 2/2 |     y 1/1");
	live__move_to(&live, 1);
	live__fold(&live, true);
	EXPECT_STR(rows(&live), "redis 0/100 |   +call 0/97 |   cron 0/3 |     x 2/2 |     y 1/1");
	give_tree(&live); /* it stays so */
	EXPECT_STR(rows(&live), "redis 0/100 |   +call 0/97 |   cron 0/3 |     x 2/2 |     y 1/1");
	live__fold_all(&live, true);
	EXPECT_STR(rows(&live), "+redis 0/100");
	live__fold_all(&live, false);
	EXPECT_EQ(live.nr_rows, 7);
	live__fini(&live);
}

/* A row of a tree has its past too. */
static void test_past_of_trees(void)
{
	struct live live = begin();
	double busy[MOST_PAST];
	bool is_noise;

	live__set_view(&live, VIEW_TREE);
	give_tree(&live);
	give_tree(&live);
	for (size_t i = 0; i < live.nr_rows; i++) {
		EXPECT_NEAR(change_of(&live, i, &is_noise), 0, 1e-9);
		EXPECT(!live__is_new(&live, live.rows[i].id));
		EXPECT_EQ(live__spark(&live, live.rows[i].id, busy), 2);
		EXPECT_NEAR(busy[0], (double)live.rows[i].total / 99, 1e-9);
	}
	live__fini(&live);
}

static void test_flames(void)
{
	struct live live = begin();

	live__set_view(&live, VIEW_FLAMES);
	give_tree(&live);
	EXPECT_EQ(live.nr_boxes, 8);
	EXPECT_EQ(live.boxes[0].start, 0);
	EXPECT_EQ(live.boxes[0].end, 80);
	for (size_t i = 1; i < live.nr_boxes; i++) {
		const struct live_box *box = &live.boxes[i], *parent = &live.boxes[box->parent];

		EXPECT(box->start >= parent->start && box->end <= parent->end);
		EXPECT_EQ(box->depth, parent->depth + 1);
	}
	live__move_up(&live, -1);
	live__move_up(&live, -1);
	EXPECT_STR(tree__name(live.tree, live.boxes[live.cursor].name)->text, "call");
	live__move_aside(&live, 1);
	EXPECT_STR(tree__name(live.tree, live.boxes[live.cursor].name)->text, "cron");
	live__zoom(&live);
	EXPECT_EQ(live__let_through(&live), 3);
	live__fini(&live);
}

static void test_hottest(void)
{
	struct live live = begin();
	struct hottest_stack hottest;
	struct row_place place;

	give_tree(&live);
	live__set_view(&live, VIEW_FUNCTIONS);
	for (size_t i = 0; i < live.nr_rows; i++)
		if (!strcmp(live.rows[i].name, "call"))
			live__move_to(&live, i);
	place = live__place(&live);
	EXPECT_EQ(live__hottest(&live, &place, &hottest), true);
	EXPECT_EQ(hottest.whole, 97);
	EXPECT_EQ(hottest.count, 50);
	place.id = 1;
	EXPECT_EQ(live__hottest(&live, &place, &hottest), false);
	live__fini(&live);
}

/* The addresses in a function are many, and its stack is one: as hot as its row says. */
static void test_hottest_of_names(void)
{
	struct live live = begin();
	struct model model = model__new();
	struct hottest_stack hottest;
	struct row_place place;

	add(&model, "redis", 1, 30, "set@redis main@redis");
	add(&model, "redis", 1, 20, "get@redis main@redis");
	add(&model, "redis", 1, 25, "get@redis+20 main@redis");
	give(&live, &model);
	place = live__place(&live);
	EXPECT_EQ(live__hottest(&live, &place, &hottest), true);
	EXPECT_EQ(live.rows[0].total, 45);
	EXPECT_EQ(hottest.count, 45);
	EXPECT_EQ(hottest.whole, 45);
	EXPECT_EQ(hottest.sample.values[VALUE_COUNT], 25); /* the hottest of its addresses */
	live__set_view(&live, VIEW_MODULES);
	place = live__place(&live);
	EXPECT_EQ(live__hottest(&live, &place, &hottest), true);
	EXPECT_EQ(hottest.count, 45);
	EXPECT_EQ(hottest.whole, 75);
	live__fini(&live);
}

/*
 * Returns the bytes of names and samples of all intervals, counted anew, as the view's own count is
 * under test.
 */
static size_t bytes_kept(const struct history *history)
{
	size_t nr_samples, nr_bytes = dictionary__memory_bytes(history->dictionary);

	for (size_t i = 0; i < history->nr_intervals; i++) {
		profile__samples(history->intervals[i].recording.profile, &nr_samples);
		nr_bytes += sizeof(history->intervals[i]) + nr_samples * sizeof(struct sample);
	}
	return nr_bytes;
}

/* New names come for ever: the memory kept stays within its bytes, and pictures stay right. */
static void test_memory(void)
{
	struct live live = begin();
	size_t most;

	live.history.max_bytes = 300000;
	live__set_mode(&live, MODE_SUM);
	for (int i = 0; i < 200; i++) {
		struct model model = model__new();

		for (int j = 0; j < 30; j++) {
			char stack[64];

			snprintf(stack, sizeof(stack), "f%d@m g%d@m main@m", 100 * i + j, i);
			add(&model, "redis", 1, 10, stack);
		}
		give(&live, &model);
		most = bytes_kept(&live.history);
		EXPECT(most < 600000);
	}
	EXPECT(live.history.nr_intervals < 150);
	EXPECT_EQ(live__whole(&live), 200 * 300);
	live__set_mode(&live, MODE_INTERVAL);
	EXPECT_EQ(live__whole(&live), 300);
	EXPECT_EQ(live.nr_rows, 30);
	live__fini(&live);
}

/* A frozen picture stands still, with its past, also when its interval is kept no longer. */
static void test_freeze_outlasts_history(void)
{
	struct live live = begin();
	uint64_t first, number;
	double busy[MOST_PAST];

	live.history.max_bytes = 100000;
	give_counts(&live, (uint64_t[]){7, 3}, 2);
	give_counts(&live, (uint64_t[]){40, 2}, 2);
	live__freeze(&live, true);
	number = live.picture->number;
	for (int i = 0; i < 400; i++)
		give_counts(&live, (uint64_t[]){1, 1, 1}, 3);
	EXPECT(bytes_kept(&live.history) < 200000);
	first = live.history.intervals[0].number;
	EXPECT(first > number);
	EXPECT_EQ(live.picture->number, number);
	EXPECT_EQ(live__whole(&live), 42);
	EXPECT_EQ(live.nr_rows, 2);
	EXPECT_EQ(live__spark(&live, live.rows[0].id, busy), 2);
	live__set_view(&live, VIEW_MODULES); /* their past is gone */
	for (int i = 0; i < 400; i++)
		give_counts(&live, (uint64_t[]){1, 1, 1}, 3);
	EXPECT(bytes_kept(&live.history) < 200000);
	EXPECT_EQ(live__whole(&live), 42);
	EXPECT_EQ(live__spark(&live, live.rows[0].id, busy), 0);
	first = live.history.intervals[0].number;
	live__step(&live, -1); /* nothing is older */
	EXPECT_EQ(live.picture->number, number);
	live__step(&live, 1);
	EXPECT_EQ(live.picture->number, first);
	EXPECT_EQ(live__whole(&live), 3);
	live__freeze(&live, false);
	EXPECT_EQ(live.picture->number, live.history.nr_added);
	live__fini(&live);
}

/* So many samples of one function, each standing for so many ms. */
static void give_rate(struct live *live, const char *stack, uint64_t count, uint64_t ms)
{
	struct model model = model__new();
	const struct sample sample = {.process = model__process(&model, "prog", 1),
				      .stack = model__stack(&model, stack),
				      .values = {count, count * ms * 1000000}};

	profile__add(model.profile, &sample);
	give(live, &model);
}

/*
 * After another rate was set, spent time is shown, also of times with one rate, so that all can be
 * compared.
 */
static void test_rates(void)
{
	struct live live = begin();
	double busy[MOST_PAST];

	give_rate(&live, "a@p main@p", 100, 10);
	EXPECT_EQ(live__whole(&live), 100);
	give_rate(&live, "b@p main@p", 10, 100);
	give_rate(&live, "a@p main@p", 5, 100);
	EXPECT_EQ(live__spark(&live, live.rows[0].id, busy), 3);
	EXPECT_NEAR(busy[0], 1, 1e-9); /* of a CPU, whatever the rate and the shown unit were */
	EXPECT_NEAR(busy[1], 0, 1e-9);
	EXPECT_NEAR(busy[2], 0.5, 1e-9);
	live__reset(&live);
	give_rate(&live, "a@p main@p", 100, 10);
	give_rate(&live, "b@p main@p", 10, 100);
	EXPECT_EQ(live__set_mode(&live, MODE_SUM), 0);
	EXPECT_EQ(live__whole(&live), 2000000000);
	EXPECT_EQ(live.rows[0].total, 1000000000);
	EXPECT_EQ(live.rows[1].total, 1000000000);
	EXPECT(!live.certainty.lack);
	EXPECT_NEAR(certainty__worth(&live.certainty), 400.0 / 11, 1e-9); /* of 110 samples */
	EXPECT_EQ(live__set_mode(&live, MODE_INTERVAL), 0);
	live__step(&live, -1);
	EXPECT_EQ(live__whole(&live), 1000000000);
	EXPECT_EQ(live__set_mode(&live, MODE_DECAYED), 0);
	EXPECT(live__percent(&live, live.rows[0].total) > 50);
	live__reset(&live);
	give_rate(&live, "b@p main@p", 10, 100);
	EXPECT_EQ(live__set_mode(&live, MODE_SUM), 0);
	EXPECT_EQ(live__whole(&live), 10);
	live__fini(&live);
}

/* Every key works on an empty view. */
static void test_nothing(void)
{
	struct live live = begin();
	struct model model = model__new();
	struct error err;

	for (int round = 0; round < 2; round++) {
		for (int view = 0; view < VIEWS; view++) {
			live__set_view(&live, (enum view)view);
			live__move(&live, 1);
			live__move_up(&live, 1);
			live__move_aside(&live, 1);
			live__zoom(&live);
			live__unzoom(&live);
			live__fold(&live, true);
			live__fold_all(&live, false);
			live__freeze(&live, true);
			live__step(&live, -1);
			live__compare(&live, true);
			live__reverse(&live);
			EXPECT_EQ(live__set_pattern(&live, "x", &err), 0);
			live__reset(&live);
		}
		if (!round)
			give(&live, &model); /* without samples */
	}
	EXPECT_EQ(live__whole(&live), 0);
	live__fini(&live);
}

int main(void)
{
	static const struct test tests[] = {
		{"every view", test_views},
		{"order and cursor", test_order_and_cursor},
		{"scrolling", test_scrolling},
		{"change, new rows, sparklines", test_change},
		{"stepping, freezing, summing, resetting", test_time},
		{"the last interval", test_end},
		{"decay", test_decay},
		{"several rates", test_rates},
		{"comparing", test_compare},
		{"filter and hidden parts", test_focus},
		{"zoom", test_zoom},
		{"folds", test_folds},
		{"the past of a tree", test_past_of_trees},
		{"flames", test_flames},
		{"the hottest stack of a row", test_hottest},
		{"the hottest stack by names", test_hottest_of_names},
		{"memory", test_memory},
		{"a frozen picture outlasts the history", test_freeze_outlasts_history},
		{"nothing", test_nothing},
		{0},
	};

	return run_tests("live", tests);
}
