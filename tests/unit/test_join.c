// SPDX-License-Identifier: GPL-2.0-only
/*
 * Recordings of several times become one: nothing is lost, and each row of a timeline is of its
 * time.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "expect.h"
#include "model.h"
#include "profile/recording.h"
#include "views/views.h"

#define SECOND 1000000000LL
#define BEGIN  (1769862896 * SECOND)

/* From a second after BEGIN on, so many long. */
static struct recording begin(int64_t from_s, double duration_s)
{
	struct recording recording;

	recording__init(&recording);
	profile__set_metrics(recording.profile, &cpu_metrics);
	recording.start_realtime_ns = BEGIN + from_s * SECOND;
	recording.duration_ns = (uint64_t)(duration_s * SECOND);
	return recording;
}

static void put(struct recording *recording, size_t slice, uint64_t count, const char *stack)
{
	struct model model = {profile__dictionary(recording->profile), recording->profile};
	const struct sample sample = {.process = model__process(&model, "prog", 1),
				      .stack = model__stack(&model, stack),
				      .values = {count, count}};

	profile__add(recording->profile, &sample);
	if (recording->slice_ns)
		EXPECT_EQ(recording__add_to_slice(recording, slice, &sample), 0);
}

static void expect_slice(const struct recording *recording, size_t slice, double from_s,
			 double duration_s, uint64_t count)
{
	const struct slice_time time = recording__slice_time(recording, slice);

	EXPECT_NEAR((double)(time.start_realtime_ns - BEGIN) / SECOND, from_s, 1e-9);
	EXPECT_NEAR((double)time.duration_ns / SECOND, duration_s, 1e-9);
	EXPECT_EQ(profile__shown_total(recording->slices[slice]), count);
}

/* The later one first; one has intervals, the last of them short and without samples. */
static struct recording joined(void)
{
	struct recording later = begin(200, 2.5), first = begin(100, 5), middle = begin(105, 5);
	struct error err = {0};

	later.slice_ns = SECOND;
	put(&later, 0, 4, "f@p main@p");
	put(&later, 1, 3, "g@p main@p");
	put(&first, 0, 10, "h@p main@p");
	put(&middle, 0, 20, "f@p main@p");
	EXPECT_EQ(recording__join(&later, &first, &err), 0);
	EXPECT_EQ(recording__join(&later, &middle, &err), 0);
	recording__fini(&first);
	recording__fini(&middle);
	return later;
}

static void test_join(void)
{
	struct recording recording = joined();

	EXPECT_EQ(recording.nr_slices, 5);
	expect_slice(&recording, 0, 100, 5, 10);
	expect_slice(&recording, 1, 105, 5, 20);
	expect_slice(&recording, 2, 200, 1, 4);
	expect_slice(&recording, 3, 201, 1, 3);
	expect_slice(&recording, 4, 202, 0.5, 0);
	EXPECT_EQ(profile__shown_total(recording.profile), 37);
	EXPECT_EQ(recording.start_realtime_ns, BEGIN + 100 * SECOND);
	EXPECT_EQ(recording.duration_ns, 12.5 * SECOND);
	recording__fini(&recording);
}

static void test_timeline(void)
{
	struct view_options options = {.nr_rows = 20};
	struct recording recording = joined();
	char text[4096] = "";
	FILE *out = fmemopen(text, sizeof(text), "w");

	setenv("TZ", "UTC", 1);
	tzset();
	EXPECT_EQ(view__write_timeline(out, &recording, &options), 0);
	fclose(out);
	EXPECT_STR(text, "     %  SAMPLES  FROM            OF THE MOST           HOTTEST FUNCTION\n"
			 "  27.0       10  01-31 12:36:36  ██████████            100 %  h (p)\n"
			 "  54.1       20  01-31 12:36:41  ████████████████████  100 %  f (p)\n"
			 "                 … nothing was recorded for 1 min 30 s\n"
			 "  10.8        4  01-31 12:38:16  ████                  100 %  f (p)\n"
			 "   8.1        3  01-31 12:38:17  ███                   100 %  g (p)\n"
			 "   0.0        0  01-31 12:38:18                        \n"
			 "\n"
			 "SELF %  OVER TIME (2 s EACH)                                  FUNCTION\n"
			 " 100.0  ▅▅▆██·············································▇   all\n"
			 "  64.9    ▅██·············································▅   f (p)\n"
			 "  27.0  ██▅  ·············································    h (p)\n"
			 "   8.1       ·············································█   g (p)\n");
	recording__fini(&recording);
}

/* 35.5 s of equal load in slices of a second, the last of them cut short. */
static struct recording even(double from_s)
{
	struct recording recording = begin(0, 35.5);

	recording.start_realtime_ns += (int64_t)(from_s * SECOND);
	recording.slice_ns = SECOND;
	for (size_t i = 0; i < 36; i++)
		put(&recording, i, i < 35 ? 10 : 5, "f@p main@p");
	return recording;
}

/* Where slices of two files do not lie in step, nothing that was even gets a rhythm. */
static void test_even(void)
{
	struct view_options options = {.nr_rows = 100};
	struct recording recording = even(0), later = even(35.5);
	char *text = calloc(1, 1 << 16);
	FILE *out = fmemopen(text, 1 << 16, "w");
	struct error err = {0};

	EXPECT_EQ(recording__join(&recording, &later, &err), 0);
	EXPECT_EQ(view__write_timeline(out, &recording, &options), 0);
	fclose(out);
	EXPECT(strstr(text, "OVER TIME (2 s EACH) "));
	EXPECT(strstr(text, "\n 100.0  ███████████████████████████████████▅  all\n"));
	EXPECT(strstr(text, "  01-31 12:35:31.000  ██████████            100 %"));
	EXPECT(strstr(text, "  01-31 12:35:31.500  ████████████████████  100 %"));
	free(text);
	recording__fini(&later);
	recording__fini(&recording);
}

static void test_different_metrics(void)
{
	struct recording recording = begin(100, 5), other;
	struct error err = {0};

	put(&recording, 0, 10, "h@p main@p");
	recording__init(&other);
	EXPECT(recording__join(&recording, &other, &err) < 0);
	EXPECT_EQ(err.exit_code, EXIT_USAGE);
	EXPECT_EQ(profile__shown_total(recording.profile), 10);
	recording__fini(&other);
	recording__fini(&recording);
}

int main(void)
{
	static const struct test tests[] = {
		{"what was when", test_join},
		{"rows in order of time", test_timeline},
		{"even load of two files", test_even},
		{"different values", test_different_metrics},
		{0},
	};

	return run_tests("join", tests);
}
