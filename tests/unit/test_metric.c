// SPDX-License-Identifier: GPL-2.0-only
/* People read these names and units where files have names of values alone. */
#include "expect.h"

#include <string.h>

#include "profile/metric.h"

static const char *describe(const char *name, const char *unit, uint64_t value)
{
	static char text[64];
	const struct metric metric = metric__named(name, unit);

	metric__describe(&metric, value, text, sizeof(text));
	return text;
}

static const char *title(const char *name, const char *unit)
{
	const struct metric metric = metric__named(name, unit);

	return metric__title(&metric);
}

static const char *heading(const char *name, const char *unit)
{
	const struct metric metric = metric__named(name, unit);

	return metric__heading(&metric, 20);
}

static void test_heap(void)
{
	EXPECT_STR(title("alloc_objects", "count"), "Allocated blocks");
	EXPECT_STR(title("alloc_space", "bytes"), "Allocated bytes");
	EXPECT_STR(heading("alloc_space", "bytes"), "ALLOC");
	EXPECT_STR(title("inuse_objects", "count"), "Live blocks");
	EXPECT_STR(title("inuse_space", "bytes"), "Live bytes");
	EXPECT_STR(heading("inuse_space", "bytes"), "LIVE");
	EXPECT_STR(heading("inuse_objects", "count"), "BLOCKS");
}

static void test_numbers(void)
{
	EXPECT_STR(describe("alloc_objects", "count", 1), "1 block");
	EXPECT_STR(describe("inuse_objects", "count", 12345), "12,345 live blocks");
	EXPECT_STR(describe("inuse_space", "bytes", 524288), "524 kB");
	EXPECT_STR(describe("samples", "count", 2), "2 samples");
	EXPECT_STR(describe("widgets", "count", 12), "12 widgets");
	EXPECT_STR(describe("money", "pennies", 12), "12 pennies");
}

/* A number estimated from samples is no number of events; it is a count all the same. */
static void test_blocks_are_no_events(void)
{
	const struct metric blocks = metric__named("inuse_objects", "count");
	const struct metric faults = metric__named("page-faults", "count");

	EXPECT(metric__is_count(&blocks) && !blocks.is_events);
	EXPECT(metric__is_count(&faults) && faults.is_events);
	EXPECT(metric__equal(&blocks, &metrics__live.of[VALUE_COUNT]));
}

/* The name alone does not make it so. */
static void test_unit_counts(void)
{
	EXPECT_STR(title("inuse_space", "pages"), "inuse_space");
	EXPECT_STR(describe("alloc_objects", "bytes", 7), "7 B");
}

/* As pprof scales them: a kilobyte of its has 1,024 bytes, ours are written by thousands. */
static void test_units_of_others(void)
{
	static const char *const seconds[] = {"s", "S", "sec", "secs", "second", "Seconds"};

	for (size_t i = 0; i < sizeof(seconds) / sizeof(seconds[0]); i++)
		EXPECT_STR(describe("cpu", seconds[i], 2), "2 s");
	EXPECT_STR(describe("cpu", "ms", 1500), "1.5 s");
	EXPECT_STR(describe("cpu", "us", 1500), "1.5 ms");
	EXPECT_STR(describe("cpu", "\xc2\xb5s", 1500), "1.5 ms");
	EXPECT_STR(describe("cpu", "ns", 1500), "1.5 us");
	EXPECT_STR(describe("cpu", "minutes", 90), "1 h 30 min");
	EXPECT_STR(describe("cpu", "hrs", 2), "2 h 0 min");
	EXPECT_STR(describe("space", "kilobytes", 1000), "1.02 MB");
	EXPECT_STR(describe("space", "kB", 1), "1.02 kB");
	EXPECT_STR(describe("space", "MB", 3), "3.15 MB");
	EXPECT_STR(describe("space", "gigabyte", 1), "1.07 GB");
	EXPECT_STR(describe("space", "mbs", 1), "1.05 MB");
	EXPECT_STR(describe("cpu", "minutes", UINT64_MAX), "18,446,744,073,709,551,615 minutes");
	EXPECT_STR(describe("things", "msec", 5), "5 msec"); /* nor does pprof know that */
	EXPECT_STR(title("cpu", "ms"), "CPU time");
	EXPECT_EQ(metric__units_in("hours", "us"), 3600000000);
	EXPECT_EQ(metric__units_in("kilobytes", "b"), 1024);
	EXPECT_EQ(metric__units_in("ns", "ms"), 0);
	EXPECT_EQ(metric__units_in("s", "bytes"), 0);
	EXPECT_EQ(metric__units_in("count", "count"), 0);
}

static const char *plain(int decimals, uint64_t value)
{
	char unit[METRIC_UNIT_SIZE];
	static char text[32];
	const struct metric metric =
		metric__named("samples", metric__decimal_unit("count", decimals, unit));

	metric__format_plain(&metric, value, text, sizeof(text));
	return text;
}

static void test_decimals(void)
{
	EXPECT_STR(describe("samples", "/100 count", 25), "0.25 samples");
	EXPECT_STR(describe("samples", "/100 count", 123450), "1,234.5 samples");
	EXPECT_STR(describe("samples", "/10000 count", 99999999), "10,000 samples");
	EXPECT_STR(describe("samples", "/10000 count", 1), "0.0001 samples");
	EXPECT_STR(describe("samples", "/50 count", 25), "25 /50 count");
	EXPECT_STR(title("samples", "/100 count"), "Samples");
	EXPECT_STR(plain(0, 1200), "1200");
	EXPECT_STR(plain(2, 25), "0.25");
	EXPECT_STR(plain(2, 1200), "12");
	EXPECT_STR(plain(3, 1200), "1.2");
	EXPECT_STR(plain(18, 1), "0.000000000000000001");
	EXPECT_STR(plain(18, UINT64_MAX), "18.446744073709551615");
}

int main(void)
{
	static const struct test tests[] = {
		{"values of heaps have titles", test_heap},
		{"numbers have nouns", test_numbers},
		{"blocks are a count and no events", test_blocks_are_no_events},
		{"fractions are numbers of a decimal", test_decimals},
		{"the unit tells values of one name apart", test_unit_counts},
		{"units of other tools", test_units_of_others},
		{0},
	};

	return run_tests("metric", tests);
}
