// SPDX-License-Identifier: GPL-2.0-only
/* Targets of requests are parsed; and some are refused, however they are written. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "expect.h"
#include "front/percent.h"
#include "front/question.h"
#include "front/times.h"

#define NOW	    INT64_C(1795701790000000000) /* 2026-11-26T14:03:10Z */
#define MAX_SECONDS 300
#define SECONDS(n)  ((long long)((n)*1e9))

static struct asked_for asked;
static struct error err;

static int parse(const char *target)
{
	err = (struct error){0};
	return question__parse(&asked, target, MAX_SECONDS, NOW, &err);
}

#define REQUEST asked.request

static void test_subjects(void)
{
	EXPECT_EQ(parse("/debug/pprof/profile"), 0);
	EXPECT_EQ(REQUEST.subject, SERVE_PROFILE);
	EXPECT_STR(REQUEST.event, "");
	EXPECT_EQ(parse("/debug/pprof/off-cpu"), 0);
	EXPECT_EQ(REQUEST.subject, SERVE_PROFILE);
	EXPECT_STR(REQUEST.event, "off-cpu");
	EXPECT_EQ(parse("/debug/pprof/sched%3Asched_switch"), 0);
	EXPECT_STR(REQUEST.event, "sched:sched_switch");
	EXPECT_EQ(parse("/debug/pprof/delta_profile?client=parca-1"), 0);
	EXPECT_EQ(REQUEST.subject, SERVE_DELTA);
	EXPECT_STR(REQUEST.client, "parca-1");
	EXPECT_EQ(parse("/metrics"), 0);
	EXPECT_EQ(REQUEST.subject, SERVE_METRICS);
	EXPECT_EQ(parse("/"), 0);
	EXPECT_EQ(REQUEST.subject, SERVE_PAGE);
	EXPECT(!asked.is_index);
	EXPECT_EQ(parse("/debug/pprof/"), 0);
	EXPECT(asked.is_index);
	EXPECT_EQ(parse("/debug/pprof?debug=1"), 0);
	EXPECT(asked.is_index);
	EXPECT_EQ(REQUEST.size, sizeof(REQUEST));
}

static void test_unknown_paths(void)
{
	static const char *const unknown[] = {
		"",
		"x",
		"//",
		"/metrics/",
		"/Metrics",
		"/debug",
		"/debug/pprof/../../etc/passwd",
		"/debug/pprof/a/b",
		"/debug/pprof/a%2Fb",
		"/debug/pprof/off cpu",
		"/debug/pprof/off+cpu%20",
		"/debug/pprof/\xc3\xa9",
		"http://localhost/metrics",
		"/debug/pprof/0123456789012345678901234567890123456789012345678901234567890123",
		"/012345678901234567890123456789012345678901234567890123456789012345678901234567890"
		"1234567890"
		"12345678901234567890123456789012345678901234567890123456789",
	};

	for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++) {
		EXPECT_EQ(parse(unknown[i]), -ENOENT);
		EXPECT(*err.text);
	}
}

/* Seconds are read as net/http/pprof reads them, but a value that is no number is refused. */
static void test_seconds(void)
{
	static const struct {
		const char *value;
		long long ns;
	} rows[] = {
		{"", SECONDS(30)},   {"0", SECONDS(30)},      {"-5", SECONDS(30)},
		{"30", SECONDS(30)}, {"1", SECONDS(1)},	      {"0.25", SECONDS(0.25)},
		{".5", SECONDS(.5)}, {"300", SECONDS(300)},   {"0.0000000004", SECONDS(30)},
		{"007", SECONDS(7)}, {"300.0", SECONDS(300)},
	};
	char target[80];

	EXPECT_EQ(parse("/debug/pprof/profile"), 0);
	EXPECT_EQ(REQUEST.duration_ns, SECONDS(30));
	EXPECT_EQ(REQUEST.ago_ns, SERVE_FROM_NOW);
	EXPECT(asked.waits);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		snprintf(target, sizeof(target), "/debug/pprof/profile?seconds=%s", rows[i].value);
		EXPECT_EQ(parse(target), 0);
		EXPECT_EQ(REQUEST.duration_ns, rows[i].ns);
	}
}

static void test_bad_values(void)
{
	static const char *const bad[] = {
		"seconds=x",
		"seconds=1e3",
		"seconds=0x10",
		"seconds=inf",
		"seconds=nan",
		"seconds=5s",
		"seconds=301",
		"seconds=300.1",
		"seconds=99999999999999999999",
		"seconds=1.",
		"seconds=.",
		"seconds=--1",
		"seconds=+1",
		"seconds=1%201",
		"seconds=1&seconds=1",
		"ago=0",
		"ago=-5m",
		"ago=5x",
		"ago=5m5m",
		"ago=5s5m",
		"ago=m",
		"ago=5m3",
		"ago=.",
		"ago=400000h",
		"ago=5m&at=14:00:00",
		"ago=5m&ago=5m",
		"ago=1s&seconds=302",
		"at=24:00:00",
		"at=14:60:00",
		"at=14:00:60",
		"at=14:00",
		"at=1:00:00",
		"at=14:00:00x",
		"at=x",
		"at=2026-11-26T14:03:10",
		"at=2026-02-30T14:03:10Z",
		"at=2026-13-01T14:03:10Z",
		"at=2026-11-26T14:03:11Z",
		"at=2026-11-26%2014:03:10Z",
		"at=1969-12-31T23:59:59Z",
		"at=2026-00-10T00:00:00Z",
		"at=9999-01-01T00:00:00Z",
		"at=2026-11-26T14:03:10.Z",
		"pid=0",
		"pid=-1",
		"pid=x",
		"pid=4194305",
		"pid=18446744073709551617",
		"pid=1.5",
		"pid=1&pid=1",
		"client=a%20b",
		"client=a/b",
		"client=%C3%A9",
		"client=0123456789012345678901234567890123456789012345678901234567890123",
		"comm=0123456789012345678901234567890123456789012345678901234567890123",
		"slices=2",
		"slices=yes",
		"slices=11",
		"token=secret",
		"token=",
		"token",
		"Token=%0",
		"x&token=y",
		"access_token=secret",
		"%74oken=x",
		"comm=%",
		"comm=%4",
		"comm=%4g",
		"comm=%g4",
		"comm=%00",
		"comm=a%0Ab",
		"comm=%7f",
		"comm=%1b[2J",
		"comm=a\tb",
		"x=%00",
		"%0a=1",
		"unknown=%zz",
		"%",
		"a=b&%",
	};
	char target[256];

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		snprintf(target, sizeof(target), "/debug/pprof/profile?%s", bad[i]);
		if (parse(target) != -EINVAL)
			printf("taken: %s\n", bad[i]);
		EXPECT_EQ(parse(target), -EINVAL);
		EXPECT(*err.text && !strpbrk(err.text, "\n\033"));
	}
	EXPECT_EQ(parse("/debug/pprof/pro%00file"), -EINVAL);
	EXPECT_EQ(parse("/debug/pprof/%zz"), -EINVAL);
	EXPECT_EQ(parse("/debug/pprof/delta_profile?ago=5m"), -EINVAL);
	EXPECT_EQ(parse("/debug/pprof/delta_profile?seconds=x"), -EINVAL);
	EXPECT_EQ(parse("/metrics?token=x"), -EINVAL);
}

static void test_filters(void)
{
	EXPECT_EQ(parse("/debug/pprof/"
			"profile?comm=php%2A&pid=4711&container=web-1&cgroup=%2Fa.slice/b&slices=1"
			"&debug=1&gc=0&&=&x&y=z=&seconds=5"),
		  0);
	EXPECT_STR(REQUEST.comm, "php*");
	EXPECT_EQ(REQUEST.pid, 4711);
	EXPECT_STR(REQUEST.container, "web-1");
	EXPECT_STR(REQUEST.cgroup, "/a.slice/b");
	EXPECT_EQ(REQUEST.with_slices, 1);
	EXPECT_EQ(REQUEST.duration_ns, SECONDS(5));
	EXPECT_EQ(parse("/debug/pprof/profile?comm=a+b&slices=0&comm2=%41"), 0);
	EXPECT_STR(REQUEST.comm, "a b");
	EXPECT_EQ(REQUEST.with_slices, 0);
	EXPECT_EQ(parse("/debug/pprof/profile?comm=&pid=&ago=&at=&client="), 0);
	EXPECT_EQ(REQUEST.ago_ns, SERVE_FROM_NOW);
	EXPECT_EQ(parse("/debug/pprof/"
			"profile?client="
			"0123456789012345678901234567890123456789012345678901234567890_-"),
		  0);
	EXPECT_EQ(strlen(REQUEST.client), 63);
	EXPECT_EQ(parse("/metrics?comm=x&seconds=5"), 0);
	EXPECT_STR(REQUEST.comm, "");
	EXPECT_EQ(REQUEST.duration_ns, 0);
}

/* A request for kept time does not wait; one that goes on waits for the rest alone. */
static void test_past(void)
{
	EXPECT_EQ(parse("/debug/pprof/profile?ago=5m&seconds=30"), 0);
	EXPECT_EQ(REQUEST.ago_ns, SECONDS(300));
	EXPECT_EQ(REQUEST.at_ns, 0);
	EXPECT(!asked.waits);
	EXPECT_EQ(parse("/debug/pprof/profile?ago=15m&seconds=900"), 0);
	EXPECT(!asked.waits);
	EXPECT_EQ(parse("/debug/pprof/profile?ago=1m&seconds=61"), 0);
	EXPECT(asked.waits);
	EXPECT_EQ(parse("/debug/pprof/profile?at=2026-11-26T14:03:10.000Z&seconds=30"), 0);
	EXPECT_EQ(REQUEST.at_ns, NOW);
	EXPECT_EQ(REQUEST.ago_ns, 0);
	EXPECT(asked.waits);
	EXPECT_EQ(parse("/debug/pprof/profile?at=2026-11-26T14:02:40Z"), 0);
	EXPECT_EQ(REQUEST.at_ns, NOW - SECONDS(30));
	EXPECT(!asked.waits);
	EXPECT_EQ(parse("/"), 0);
	EXPECT_EQ(REQUEST.ago_ns, SECONDS(30));
	EXPECT_EQ(REQUEST.duration_ns, SECONDS(30));
	EXPECT(!asked.waits);
	EXPECT_EQ(parse("/?seconds=12&comm=nginx"), 0);
	EXPECT_EQ(REQUEST.ago_ns, SECONDS(12));
	EXPECT_EQ(parse("/?ago=10m"), 0);
	EXPECT_EQ(REQUEST.ago_ns, SECONDS(600));
	EXPECT_EQ(REQUEST.duration_ns, SECONDS(600));
	EXPECT_EQ(parse("/debug/pprof/delta_profile?seconds=14"), 0);
	EXPECT_EQ(REQUEST.duration_ns, SECONDS(14));
	EXPECT_EQ(REQUEST.ago_ns, 0);
	EXPECT(!asked.waits);
}

static void test_durations(void)
{
	static const struct {
		const char *text;
		long long ns;
	} rows[] = {
		{"30", SECONDS(30)},	      {"30s", SECONDS(30)},	{"5m", SECONDS(300)},
		{"1h", SECONDS(3600)},	      {"1m30s", SECONDS(90)},	{"1.5h", SECONDS(5400)},
		{"200ms", SECONDS(0.2)},      {"1h1ms", 3600001000000}, {"0.5", SECONDS(0.5)},
		{"1h2m3s4ms", 3723004000000},
	};
	int64_t ns;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		EXPECT_EQ(times__duration(rows[i].text, &ns), 0);
		EXPECT_EQ(ns, rows[i].ns);
	}
	EXPECT_EQ(times__duration("8784h", &ns), 0);
	EXPECT_EQ(times__duration("8784h1ms", &ns), -ERANGE);
	EXPECT_EQ(times__duration("99999999999999999999999m", &ns), -ERANGE);
}

/* By a clock an hour and a half east of Greenwich, that is 15:33:10 now. */
static void test_local_clock(void)
{
	int64_t ns;

	setenv("TZ", "TEST-1:30", 1);
	tzset();
	EXPECT_EQ(times__moment("15:33:10", NOW, &ns), 0);
	EXPECT_EQ(ns, NOW);
	EXPECT_EQ(times__moment("15:33:09.5", NOW, &ns), 0);
	EXPECT_EQ(ns, NOW - SECONDS(0.5));
	EXPECT_EQ(times__moment("15:33:11", NOW, &ns), 0);
	EXPECT_EQ(ns, NOW - SECONDS(86399));
	EXPECT_EQ(times__moment("00:00:00", NOW, &ns), 0);
	EXPECT_EQ(ns, NOW - SECONDS(15 * 3600 + 33 * 60 + 10));
}

static void test_percent(void)
{
	char out[8];

	EXPECT_EQ(percent__decode("a%2B+", 5, true, out, sizeof(out)), 0);
	EXPECT_STR(out, "a+ ");
	EXPECT_EQ(percent__decode("a+", 2, false, out, sizeof(out)), 0);
	EXPECT_STR(out, "a+");
	EXPECT_EQ(percent__decode("%ff%FF", 6, false, out, sizeof(out)), 0);
	EXPECT_STR(out, "\xff\xff");
	EXPECT_EQ(percent__decode("1234567", 7, false, out, sizeof(out)), 0);
	EXPECT_STR(out, "1234567");
	EXPECT_EQ(percent__decode("12345678", 8, false, out, sizeof(out)), -E2BIG);
	EXPECT_STR(out, "1234567");
	EXPECT_EQ(percent__decode("12345678%", 9, false, out, sizeof(out)), -EINVAL);
	EXPECT_EQ(percent__decode("%4142", 2, false, out, sizeof(out)), -EINVAL);
	EXPECT_EQ(percent__decode("", 0, false, out, sizeof(out)), 0);
	EXPECT_STR(out, "");
}

int main(void)
{
	static const struct test tests[] = {
		{"subjects of paths", test_subjects},
		{"paths to nothing", test_unknown_paths},
		{"seconds, as Go has them", test_seconds},
		{"values that cannot be answered", test_bad_values},
		{"filters, and keys that nobody knows", test_filters},
		{"times that are kept", test_past},
		{"durations", test_durations},
		{"the local clock", test_local_clock},
		{"percent-encoding", test_percent},
		{0},
	};

	return run_tests("front_question", tests);
}
