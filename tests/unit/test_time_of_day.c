// SPDX-License-Identifier: GPL-2.0-only
/* When is 14:03:10? */
#include "actions/time_of_day.h"

#include <stdlib.h>
#include <string.h>

#include "expect.h"

#define NOW 1795701790 /* 2026-11-26 14:03:10 UTC */
#define DAY 86400

static void set_zone(const char *zone)
{
	setenv("TZ", zone, 1);
	tzset();
}

static time_t parse(const char *text, time_t now)
{
	struct error err = {0};
	time_t at = 0;

	EXPECT_EQ(time_of_day__parse(text, now, &at, &err), 0);
	EXPECT_STR(err.text, "");
	return at;
}

static void test_today(void)
{
	set_zone("UTC");
	EXPECT_EQ(parse("14:03:10", NOW), NOW);
	EXPECT_EQ(parse("14:03", NOW), NOW - 10);
	EXPECT_EQ(parse("00:00:00", NOW), NOW - NOW % DAY);
	EXPECT_EQ(parse("14:03:11", NOW), NOW - DAY + 1); /* later than now: yesterday's */
	EXPECT_EQ(parse("23:59:59", NOW), NOW - NOW % DAY - 1);
}

static void test_dates(void)
{
	set_zone("UTC");
	EXPECT_EQ(parse("2026-11-26T14:03:10", NOW), NOW);
	EXPECT_EQ(parse("2026-11-20T14:03", NOW), NOW - 6 * DAY - 10);
	EXPECT_EQ(parse("2024-02-29T00:00:00", NOW), 1709164800);
}

/* Local time is meant; and the day before the clocks changed had 23 hours. */
static void test_zones(void)
{
	set_zone("CET-1CEST,M3.5.0,M10.5.0/3");
	EXPECT_EQ(parse("15:03:10", NOW), NOW);
	EXPECT_EQ(parse("2026-11-26T15:03:10", NOW), NOW);
	EXPECT_EQ(parse("2026-07-01T12:00:00", NOW), 1782900000); /* 10:00 UTC */
	/* On 2026-03-29 at 12:00, 23:00 was 12 hours ago, as one hour did not happen. */
	EXPECT_EQ(parse("23:00", 1774778400), 1774778400 - 12 * 3600);
	set_zone("UTC");
}

static void refused(const char *text, const char *words)
{
	struct error err = {0};
	time_t at;

	EXPECT_EQ(time_of_day__parse(text, NOW, &at, &err), -EINVAL);
	EXPECT_EQ(err.exit_code, EXIT_USAGE);
	EXPECT(strstr(err.text, words) != NULL);
}

static void test_refused(void)
{
	set_zone("UTC");
	refused("", "is no time");
	refused("14", "is no time");
	refused("24:00:00", "is no time");
	refused("14:60", "is no time");
	refused("14:03:10x", "is no time");
	refused(" 14:03:10", "is no time");
	refused("2026-11-26", "is no time");
	refused("2026-02-30T00:00:00", "is no time");
	refused("2026-11-26 14:03:10", "is no time");
	refused("2026-11-26T14:03:11", "is yet to come");
	refused("2999-01-01T00:00:00", "is yet to come");
}

int main(void)
{
	static const struct test tests[] = {
		{"today and yesterday", test_today},
		{"dates", test_dates},
		{"local time", test_zones},
		{"what is no time", test_refused},
		{0},
	};

	return run_tests("time_of_day", tests);
}
