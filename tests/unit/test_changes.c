// SPDX-License-Identifier: GPL-2.0-only
/* Changes within one recording are told where the slices are known. */
#include "diff/changes.h"

#include <stdlib.h>
#include <string.h>

#include "expect.h"
#include "model.h"

#define SLICE_NS UINT64_C(5000000000)

/* The samples of a slice: so many of "steady", and of each of two others. */
struct slice_counts {
	uint64_t steady, a, b;
};

static void add_slice(struct recording *recording, size_t slice, const struct slice_counts *counts)
{
	struct model model = {.dictionary = profile__dictionary(recording->profile),
			      .profile = profile__new_like(recording->profile, model.dictionary)};
	const struct sample *samples;
	size_t nr;

	add(&model, "x", 1, counts->steady, "steady@x main@x");
	add(&model, "x", 1, counts->a, "a@x do_a@x main@x");
	add(&model, "x", 1, counts->b, "b@x main@x");
	profile__merge(recording->profile, model.profile);
	samples = profile__samples(model.profile, &nr);
	for (size_t i = 0; i < nr; i++)
		recording__add_to_slice(recording, slice, &samples[i]);
	profile__free(model.profile);
}

static struct recording make_recording(size_t nr_slices,
				       struct slice_counts (*of)(size_t slice, size_t nr))
{
	struct recording recording;

	recording__init(&recording);
	profile__set_metrics(recording.profile, &cpu_metrics);
	recording.start_realtime_ns = INT64_C(1769862896000000000);
	recording.duration_ns = nr_slices * SLICE_NS;
	recording.slice_ns = SLICE_NS;
	for (size_t i = 0; i < nr_slices; i++) {
		const struct slice_counts counts = of(i, nr_slices);

		if (counts.steady)
			add_slice(&recording, i, &counts);
	}
	return recording;
}

/* Returns the report on the last length_s; free() it. */
static char *write_changes(struct recording *recording, double length_s, int expected)
{
	const struct changes_plan plan = {.length_s = length_s, .nr_rows = 10};
	struct error err = {0};
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	EXPECT_EQ(changes__write(out, &plan, recording, &err), expected);
	fclose(out);
	recording__fini(recording);
	return text;
}

static void expect_lines(char *text, const char *first, const char *second, int nr_changed)
{
	int nr = 0;

	EXPECT(strstr(text, first) == text);
	EXPECT(strstr(text, second) != NULL);
	for (const char *at = text; (at = strstr(at, "\nchanged ")); at++)
		nr++;
	EXPECT_EQ(nr, nr_changed);
	free(text);
}

static struct slice_counts doubles(size_t slice, size_t nr)
{
	return (struct slice_counts){300, slice + 12 < nr ? 100 : 200, 100};
}

static void test_doubled(void)
{
	struct recording recording = make_recording(180, doubles);
	char *text = write_changes(&recording, 60, 0);

	EXPECT(strstr(text, "a (x)") && strstr(text, "do_a (x)") && !strstr(text, "b (x)"));
	EXPECT(strstr(text, "20.0 %   33.3 %     +100.0 %"));
	EXPECT(strstr(text, "tau 5 %: that they differ by so much more is assumed, not estimated"));
	expect_lines(text, "2 of ",
		     "before: 14 parts of 1 min, 84000 samples; last: 7200 samples\n", 2);
}

/* A quarter of a minute has one function, the next the other: any minute has a half of each. */
static struct slice_counts takes_turns(size_t slice, size_t nr)
{
	(void)nr;
	return slice / 3 % 2 ? (struct slice_counts){100, 400, 0}
			     : (struct slice_counts){100, 0, 400};
}

/* Parts that are shorter than phases are all of one: the last is like every other before it. */
static void test_phases(void)
{
	struct recording recording = make_recording(180, takes_turns);

	expect_lines(write_changes(&recording, 60, 0), "no change found", "phi", 0);
	recording = make_recording(180, takes_turns);
	expect_lines(write_changes(&recording, 10, 0), "no change found",
		     "before: 89 parts of 10 s", 0);
}

/* The program is idle at the end: there are slices without samples. */
static struct slice_counts ends_idle(size_t slice, size_t nr)
{
	return (struct slice_counts){slice + 12 < nr ? 300 : 0, 100, 100};
}

static void test_idle(void)
{
	struct recording recording = make_recording(180, ends_idle);

	expect_lines(write_changes(&recording, 60, 0),
		     "nothing compared: there are no samples of the last part", "last: 0 samples",
		     0);
}

static void test_too_short(void)
{
	struct recording recording = make_recording(96, doubles); /* seven parts before it */

	free(write_changes(&recording, 60, -ENODATA));
	recording = make_recording(108, doubles);
	free(write_changes(&recording, 60, 0));
	recording = make_recording(0, doubles);
	free(write_changes(&recording, 60, -EINVAL));
}

/* Slices say themselves when they were; a part has as many of them as the last one. */
static void test_times(void)
{
	struct recording recording = make_recording(100, doubles);
	int64_t start_ns = recording.start_realtime_ns;

	recording.slice_times = calloc(100, sizeof(*recording.slice_times));
	for (size_t i = 0; i < 100; i++) {
		const uint64_t duration_ns = i < 90 ? SLICE_NS : 6 * SLICE_NS / 5;

		recording.slice_times[i] = (struct slice_time){start_ns, duration_ns};
		start_ns += (int64_t)duration_ns;
	}
	expect_lines(write_changes(&recording, 60, 0), "2 of ", "before: 9 parts of 1 min", 2);
}

int main(void)
{
	static const struct test tests[] = {
		{"a function that doubles", test_doubled}, {"phases are no change", test_phases},
		{"nothing at the end", test_idle},	   {"too little before", test_too_short},
		{"times of slices", test_times},	   {0},
	};

	return run_tests("changes", tests);
}
