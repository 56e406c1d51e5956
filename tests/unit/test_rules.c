// SPDX-License-Identifier: GPL-2.0-only
/* When rules fire: slice by slice, with times and pressures that are given. */
#include "serve/rules.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "expect.h"
#include "model.h"
#include "serve/pressure.h"

#define SECOND_NS UINT64_C(1000000000)

/* The kernel's answer for a measure of pressure. */
struct fake_pressure {
	uint64_t total_us;
	int code;
	char asked[300]; /* last */
};

static int read_fake(void *context, enum rule_measure measure, const char *cgroup,
		     uint64_t *total_us)
{
	struct fake_pressure *fake = context;

	snprintf(fake->asked, sizeof(fake->asked), "%s%s", rule_measure__name(measure), cgroup);
	*total_us = fake->total_us;
	return fake->code;
}

static struct rules *make_rules(struct fake_pressure *fake, const char *text)
{
	struct rules *rules = rules__new(read_fake, fake);
	struct error err = {0};

	EXPECT_EQ(rules__add(rules, text, &err), 0);
	return rules;
}

/*
 * Judges a slice of 5 s, in which "busy" (4711, in /a/b) used so much of one CPU, and "other" half
 * of one. Returns whether a rule fires.
 */
static bool judge(struct rules *rules, double percent, uint64_t now_s)
{
	struct model model = model__new();
	struct recording slice = {.profile = model.profile, .duration_ns = 5 * SECOND_NS};
	struct process busy = {
		.pid = 4711, .start_ns = 7, .exec_id = 1, .comm = "busy", .cgroup_path = "/a/b"};
	const struct sample sample = {
		.process = dictionary__add_process(model.dictionary, &busy),
		.stack = model__stack(&model, "f@m"),
		.values = {1, (uint64_t)(percent / 100 * 5e9)},
	};
	bool fires;

	profile__add(model.profile, &sample);
	add(&model, "other", 12, 250, "g@m");
	fires = rules__judge(rules, &slice, now_s * SECOND_NS);
	EXPECT_EQ(fires, rules__has_fired(rules, 0));
	model__free(&model);
	return fires;
}

static void test_holds_in_a_row(void)
{
	struct rules *rules = make_rules(NULL, "cpu of comm=busy > 150% for 15s");

	EXPECT(!judge(rules, 160, 5));
	EXPECT(!judge(rules, 160, 10));
	EXPECT(judge(rules, 160, 15));
	rules__free(rules);

	rules = make_rules(NULL, "cpu of comm=busy > 150% for 15s");
	EXPECT(!judge(rules, 160, 5));
	EXPECT(!judge(rules, 160, 10));
	EXPECT(!judge(rules, 150, 15)); /* not above */
	EXPECT(!judge(rules, 160, 20));
	EXPECT(!judge(rules, 160, 25));
	EXPECT(judge(rules, 160, 30));
	rules__free(rules);
}

static void test_subjects(void)
{
	static const struct {
		const char *text;
		bool fires; /* "busy" takes 100 %, and all together 150 % */
	} cases[] = {
		{"cpu > 149% for 5s", true},
		{"cpu > 151% for 5s", false},
		{"cpu of comm=b?sy > 99% for 5s", true},
		{"cpu of comm=busy > 101% for 5s", false},
		{"cpu of comm=bus > 1% for 5s", false},
		{"cpu of comm=* > 149% for 5s", true},
		{"cpu of pid=4711 > 99% for 5s", true},
		{"cpu of pid=12 > 51% for 5s", false},
		{"cpu of pid=12 > 49% for 5s", true},
		{"cpu of cgroup=/a > 99% for 5s", true},
		{"cpu of cgroup=/a/b > 99% for 5s", true},
		{"cpu of cgroup=/a/ > 99% for 5s", true},
		{"cpu of cgroup=/a/bc > 1% for 5s", false},
		{"cpu of cgroup=/ > 99% for 5s", true},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct rules *rules = make_rules(NULL, cases[i].text);
		const bool fires = judge(rules, 100, 5);

		if (fires != cases[i].fires)
			fprintf(stderr, "%s\n", cases[i].text);
		EXPECT_EQ(fires, cases[i].fires);
		rules__free(rules);
	}
}

/* The rule would fire every 5 s: its missed times are counted, until ten minutes are over. */
static void test_pause(void)
{
	struct rules *rules = make_rules(NULL, "cpu of comm=busy > 50% for 10s");
	uint64_t now_s = 0, fired = 0;

	for (int i = 0; i < 122; i++)
		fired += judge(rules, 60, now_s += 5);
	EXPECT_EQ(fired, 2); /* at 10 s and at 610 s */
	EXPECT(rules__has_fired(rules, 0));
	EXPECT_EQ(rules__nr_suppressed(rules, 0), 59);
	rules__free(rules);
}

/* The CPU time of a slice that holds other events, or none, is unknown. */
static void test_no_cpu_time(void)
{
	struct rules *rules = make_rules(NULL, "cpu > 1% for 5s");
	struct model model = model__new();
	struct recording slice = {.profile = model.profile, .duration_ns = 5 * SECOND_NS};
	struct metrics metrics = cpu_metrics;

	add(&model, "busy", 1, 500, "f@m");
	metrics.of[VALUE_WEIGHT].name = "off_cpu";
	profile__set_metrics(model.profile, &metrics);
	EXPECT(!rules__judge(rules, &slice, 5 * SECOND_NS));
	profile__set_metrics(model.profile, &cpu_metrics);
	EXPECT(rules__judge(rules, &slice, 10 * SECOND_NS));
	slice.duration_ns = 0;
	EXPECT(!rules__judge(rules, &slice, 700 * SECOND_NS));
	model__free(&model);
	rules__free(rules);
}

/* 20 % of 5 s are 1,000,000 us. */
static void test_pressure(void)
{
	struct fake_pressure fake = {.total_us = 5000};
	struct rules *rules = make_rules(&fake, "pressure.io of cgroup=/a > 20% for 10s");

	EXPECT_STR(fake.asked, "pressure.io/a");
	EXPECT(!judge(rules, 0, 100)); /* the first look */
	fake.total_us += 1000001;
	EXPECT(!judge(rules, 0, 105));
	fake.total_us += 1000000; /* just 20 % */
	EXPECT(!judge(rules, 0, 110));
	fake.total_us += 1000001;
	EXPECT(!judge(rules, 0, 115));
	fake.total_us += 1000001;
	EXPECT(judge(rules, 0, 120));
	rules__free(rules);
}

/* A cgroup that is gone, and another one in its place. */
static void test_pressure_begins_anew(void)
{
	struct fake_pressure fake = {.total_us = 50000000};
	struct rules *rules = make_rules(&fake, "pressure.memory > 20% for 5s");

	EXPECT(!judge(rules, 0, 5));
	fake.code = -ENOENT;
	EXPECT(!judge(rules, 0, 10));
	fake.code = 0;
	fake.total_us = 90000000;
	EXPECT(!judge(rules, 0, 15)); /* a first look again */
	fake.total_us = 10;
	EXPECT(!judge(rules, 0, 20));
	fake.total_us = 10 + 2000000;
	EXPECT(judge(rules, 0, 25));
	fake.code = -ENOENT;
	struct error err = {0};
	EXPECT_EQ(rules__add(rules, "pressure.cpu > 1% for 1s", &err), -ENOENT);
	EXPECT(strstr(err.text, "psi=1") != NULL);
	rules__free(rules);
}

static void test_names(void)
{
	struct rules *rules = rules__new(read_fake, &(struct fake_pressure){0});
	struct error err = {0};
	char text[64];

	EXPECT_EQ(rules__add(rules, "cpu of comm=../a*b > 1% for 1s", &err), 0);
	EXPECT_EQ(rules__add(rules, "cpu of comm=a/b > 2% for 1s", &err), 0);
	EXPECT_EQ(rules__add(rules, "pressure.io of cgroup=/s.slice/x > 2% for 1s", &err), 0);
	EXPECT_EQ(rules__add(rules, "cpu > 2% for 1s", &err), 0);
	EXPECT_STR(rules__name(rules, 0), "cpu-of-comm-a-b");
	EXPECT_STR(rules__name(rules, 1), "cpu-of-comm-a-b-2");
	EXPECT_STR(rules__name(rules, 2), "pressure-io-of-cgroup-s-slice-x");
	EXPECT_STR(rules__name(rules, 3), "cpu");
	while (rules__nr(rules) < MAX_RULES) {
		snprintf(text, sizeof(text), "cpu of pid=%zu > 2%% for 1s", 1 + rules__nr(rules));
		EXPECT_EQ(rules__add(rules, text, &err), 0);
	}
	EXPECT_EQ(rules__add(rules, "cpu > 2% for 1s", &err), -E2BIG);
	rules__free(rules);
}

/* The kernel's own words, if it has them. */
static void test_kernel(void)
{
	uint64_t total_us = 0, later_us = 0;

	if (access("/proc/pressure/cpu", R_OK))
		return;
	EXPECT_EQ(pressure__read((char *)(uintptr_t) "/none", RULE_PRESSURE_CPU, "", &total_us), 0);
	EXPECT_EQ(pressure__read((char *)(uintptr_t) "/none", RULE_PRESSURE_CPU, "", &later_us), 0);
	EXPECT(later_us >= total_us);
	EXPECT_EQ(pressure__read((char *)(uintptr_t) "/none", RULE_PRESSURE_CPU, "/a", &later_us),
		  -ENOENT);
}

int main(void)
{
	static const struct test tests[] = {
		{"a rule has to hold as long as it says", test_holds_in_a_row},
		{"of what", test_subjects},
		{"once in ten minutes", test_pause},
		{"slices without CPU time", test_no_cpu_time},
		{"pressure between two looks", test_pressure},
		{"another account begins anew", test_pressure_begins_anew},
		{"names for files", test_names},
		{"what the kernel says", test_kernel},
		{0},
	};

	return run_tests("rules", tests);
}
