// SPDX-License-Identifier: GPL-2.0-only
/* Several events in the live view: any is shown, all are kept, within the same bounds. */
#include <errno.h>
#include <string.h>

#include "events_model.h"
#include "formats/formats.h"
#include "live/export.h"
#include "live/live.h"
#include "scratch.h"

enum { NR_INTERVALS = 400, MOST_BYTES = 200000 };

/* Each interval has a stack of its own, in the second event. */
static void give_two(struct live *live, unsigned int number)
{
	struct recording interval = two_events(10, 3, false);
	struct model model = {profile__dictionary(interval.profile), interval.more->profile};
	char stack[64];

	snprintf(stack, sizeof(stack), "f%u@p main@p", number);
	add(&model, "prog", 1, 2, stack);
	EXPECT_EQ(live__add(live, &interval), 0);
	while (live__work(live) > 0)
		;
	recording__fini(&interval);
}

static struct live begin(void)
{
	struct live live;

	live__init(&live, MOST_BYTES);
	return live;
}

static const char *next(struct live *live)
{
	const char *event;

	EXPECT_EQ(live__next_event(live, &event), 0);
	return event;
}

static size_t bytes_kept(const struct history *history)
{
	size_t nr_bytes = dictionary__memory_bytes(history->dictionary);

	for (size_t i = 0; i < history->nr_intervals; i++)
		for (const struct recording *event = &history->intervals[i].recording; event;
		     event = event->more)
			nr_bytes += profile__memory_bytes(event->profile);
	return nr_bytes;
}

/* Dictionaries are replaced meanwhile: sums lose no sample of either event. */
static void test_all_are_kept(void)
{
	struct live live = begin();

	for (unsigned int i = 0; i < NR_INTERVALS; i++) {
		give_two(&live, i);
		if (i == NR_INTERVALS / 2)
			EXPECT_STR(next(&live), "page-faults");
	}
	EXPECT(live.history.nr_intervals < NR_INTERVALS);
	EXPECT(bytes_kept(&live.history) < 2 * MOST_BYTES);
	EXPECT_EQ(live__whole(&live), 6);
	EXPECT_EQ(live__set_mode(&live, MODE_SUM), 0);
	EXPECT_EQ(live__whole(&live), 6 * NR_INTERVALS);
	EXPECT_STR(next(&live), "cpu-clock");
	EXPECT_EQ(live__whole(&live), 11 * NR_INTERVALS);
	EXPECT_STR(next(&live), "page-faults");
	EXPECT_EQ(live__whole(&live), 6 * NR_INTERVALS);
	live__fini(&live);
}

/* A frozen picture and a baseline are of the shown event, too. */
static void test_held(void)
{
	struct live live = begin();
	double percent;
	bool is_noise;

	give_two(&live, 0);
	EXPECT_EQ(live__compare(&live, true), 0);
	EXPECT_EQ(live__freeze(&live, true), 0);
	EXPECT_STR(next(&live), "page-faults");
	give_two(&live, 1);
	EXPECT_EQ(live.picture->number, 1);
	EXPECT_EQ(live__whole(&live), 6);
	EXPECT_EQ(live.baseline.whole, 6);
	EXPECT(live__change(&live, &live.rows[0], &percent, &is_noise));
	EXPECT_NEAR(percent, 0, 1e-9);
	EXPECT_EQ(live__reset(&live), 0);
	give_two(&live, 2);
	EXPECT_EQ(live__whole(&live), 6);
	live__fini(&live);
}

static void give_bytes(struct live *live, uint64_t nr_a, uint64_t nr_b)
{
	static const struct metrics metrics = {
		.of = {[VALUE_COUNT] = {.name = "a:b", .unit = "count", .is_events = true},
		       [VALUE_WEIGHT] = {.name = "a:b/weight=len/", .unit = "bytes"}},
		.shown = VALUE_WEIGHT,
	};
	struct recording interval;
	struct model model;

	recording__init(&interval);
	model = (struct model){profile__dictionary(interval.profile), interval.profile};
	profile__set_metrics(interval.profile, &metrics);
	add(&model, "prog", 1, nr_a, "a@p main@p");
	add(&model, "prog", 1, nr_b, "b@p main@p");
	EXPECT_EQ(live__add(live, &interval), 0);
	while (live__work(live) > 0)
		;
	recording__fini(&interval);
}

static uint64_t first_row(struct live *live)
{
	return live->rows[0].id;
}

/* Many bytes are few samples: a row passes another as that of the same samples would. */
static void test_order_of_weights(void)
{
	struct live live = begin();
	uint64_t first;

	give_bytes(&live, 12, 10);
	first = first_row(&live);
	give_bytes(&live, 10, 12);
	EXPECT_EQ(first_row(&live), first);
	give_bytes(&live, 10, 100);
	EXPECT(first_row(&live) != first);
	live__fini(&live);
}

static struct recording write_and_read(struct live *live)
{
	static const struct read_options options;
	struct recording file;
	struct error err = {0};
	char *path;

	EXPECT_EQ(export__write(live, false, &path, &err), 0);
	EXPECT_EQ(formats__read_file(&file, path, &options, &err), 0);
	EXPECT_EQ(recording__nr_events(&file), 2);
	free(path);
	return file;
}

static void expect_file(struct live *live, const char *first, uint64_t nr_first, uint64_t nr_second)
{
	struct recording file = write_and_read(live);

	EXPECT_STR(file.facts[FACT_EVENT], first);
	EXPECT_EQ(profile__total(file.profile, VALUE_COUNT), nr_first);
	EXPECT_EQ(profile__total(file.more->profile, VALUE_COUNT), nr_second);
	recording__fini(&file);
}

/*
 * All events are written, the shown one first, in whole samples even where the picture has parts of
 * them.
 */
static void test_written(void)
{
	struct live live = begin();
	struct recording file;

	EXPECT_EQ(chdir(scratch_path("")), 0);
	for (unsigned int i = 0; i < 2; i++)
		give_two(&live, i);
	expect_file(&live, "cpu-clock", 11, 6);
	EXPECT_STR(next(&live), "page-faults");
	expect_file(&live, "page-faults", 6, 11);
	EXPECT_EQ(live__set_mode(&live, MODE_SUM), 0);
	expect_file(&live, "page-faults", 12, 22);
	EXPECT_EQ(live__set_mode(&live, MODE_DECAYED), 0);
	EXPECT(live.unit > 1);
	file = write_and_read(&live);
	EXPECT(profile__total(file.profile, VALUE_COUNT) <= 12);
	EXPECT(profile__total(file.more->profile, VALUE_COUNT) <= 22);
	EXPECT(profile__total(file.more->profile, VALUE_COUNT) >= 18);
	recording__fini(&file);
	live__fini(&live);
}

int main(void)
{
	static const struct test tests[] = {
		{"all events are kept", test_all_are_kept},
		{"what is held", test_held},
		{"what is written", test_written},
		{"order of what weighs", test_order_of_weights},
		{0},
	};

	scratch_create();
	return run_tests("live view of several events", tests);
}
