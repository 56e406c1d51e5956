// SPDX-License-Identifier: GPL-2.0-only
/* --when understands these rules, and says where it does not understand others. */
#include "serve/rule.h"

#include <stdio.h>
#include <string.h>

#include "expect.h"

static struct when_rule parse(const char *text)
{
	struct when_rule rule;
	struct error err = {0};

	EXPECT_EQ(rule__parse(&rule, text, &err), 0);
	EXPECT_STR(err.text, "");
	return rule;
}

static void test_measures(void)
{
	struct when_rule rule = parse("cpu > 150% for 10s");

	EXPECT_EQ(rule.measure, RULE_CPU);
	EXPECT_EQ(rule.subject, RULE_OF_ALL);
	EXPECT_NEAR(rule.above, 150, 0);
	EXPECT_EQ(rule.for_ns, 10000000000);
	EXPECT_EQ(parse("pressure.cpu > 1% for 1s").measure, RULE_PRESSURE_CPU);
	EXPECT_EQ(parse("pressure.memory > 1% for 1s").measure, RULE_PRESSURE_MEMORY);
	EXPECT_EQ(parse("pressure.io > 1% for 1s").measure, RULE_PRESSURE_IO);
}

static void test_subjects(void)
{
	struct when_rule rule = parse("cpu of comm=nginx* > 1% for 1s");

	EXPECT_EQ(rule.subject, RULE_OF_COMM);
	EXPECT_STR(rule.name, "nginx*");
	rule = parse("cpu of comm=\"a > b\" > 1% for 1s");
	EXPECT_STR(rule.name, "a > b");
	rule = parse("cpu of pid=4194304 > 1% for 1s");
	EXPECT_EQ(rule.subject, RULE_OF_PID);
	EXPECT_EQ(rule.pid, 4194304);
	rule = parse("pressure.io of cgroup=/system.slice/a.service > 1% for 1s");
	EXPECT_EQ(rule.subject, RULE_OF_CGROUP);
	EXPECT_STR(rule.name, "/system.slice/a.service");
}

/* Spaces are free where words do not need them. */
static void test_spaces(void)
{
	struct when_rule rule = parse("  cpu\tof comm =  x>0.5%for 2m ");

	EXPECT_STR(rule.name, "x");
	EXPECT_NEAR(rule.above, 0.5, 0);
	EXPECT_EQ(rule.for_ns, 120000000000);
	EXPECT_EQ(parse("cpu>1%for 1s").for_ns, 1000000000);
	EXPECT_EQ(parse("cpu > 1 % for 24h").for_ns, 86400000000000);
}

/* A sentence with these words. */
static void refused(const char *text, const char *words)
{
	struct when_rule rule;
	struct error err = {0};

	EXPECT_EQ(rule__parse(&rule, text, &err), -EINVAL);
	EXPECT_EQ(err.exit_code, EXIT_USAGE);
	if (!strstr(err.text, words))
		fprintf(stderr, "%s: %s\n", text, err.text);
	EXPECT(strstr(err.text, words) != NULL);
}

static void test_places(void)
{
	refused("", "lacks cpu, pressure.cpu, pressure.memory or pressure.io, at its end");
	refused("load > 1% for 1s", "at character 1: \"load > 1% for 1s\"");
	refused("cpus > 1% for 1s", "at character 1");
	refused("cpu of > 1% for 1s", "needs comm=, pid= or cgroup= after of at character 8");
	refused("cpu of user=x > 1% for 1s", "at character 8: \"user=x > 1% for 1s\"");
	refused("cpu of comm nginx > 1% for 1s", "needs = at character 13");
	refused("cpu of comm= > 1% for 1s", "needs a name at character 14");
	refused("cpu of comm=\"x > 1% for 1s", "second \"");
	refused("cpu of pid=0 > 1% for 1s", "needs the id of a process at character 12");
	refused("cpu of pid=4194305 > 1% for 1s", "the id of a process");
	refused("cpu of pid=-1 > 1% for 1s", "the id of a process");
	refused("cpu of cgroup=x > 1% for 1s", "needs the path of a cgroup");
	refused("cpu of cgroup=/a/../../etc > 1% for 1s", "needs the path of a cgroup");
	refused("cpu of cgroup=/a/.. > 1% for 1s", "needs the path of a cgroup");
	refused("cpu < 1% for 1s", "needs > at character 5");
	refused("cpu > % for 1s", "needs a number above 0 at character 7");
	refused("cpu > 0% for 1s", "needs a number above 0 at character 7");
	refused("cpu > -1% for 1s", "needs a number above 0 at character 7");
	refused("cpu > 1e3% for 1s", "needs a number above 0 at character 7");
	refused("cpu > 1..2% for 1s", "a number above 0");
	refused("cpu > nan% for 1s", "a number above 0");
	refused("cpu > 1 for 1s", "needs % after the number at character 9");
	refused("cpu > 1%", "lacks for, and how long, at its end");
	refused("cpu > 1% for", "lacks a time from 1s to 24h, at its end");
	refused("cpu > 1% for 0s", "needs a time from 1s to 24h at character 14");
	refused("cpu > 1% for 25h", "needs a time from 1s to 24h");
	refused("cpu > 1% for 1s; reboot", "needs nothing more at character 16: \"; reboot\"");
	refused("cpu > 1% for 1s for 1s", "needs nothing more");
}

/* The kernel has no such account. */
static void test_pressure_of_processes(void)
{
	refused("pressure.io of comm=x > 1% for 1s", "the pressure of cgroups and of the whole");
	refused("pressure.cpu of pid=1 > 1% for 1s", "needs of cgroup=");
}

static void test_lengths(void)
{
	char text[600];

	snprintf(text, sizeof(text), "cpu of comm=%0*d > 1%% for 1s", 255, 1);
	EXPECT_EQ(strlen(parse(text).name), 255);
	snprintf(text, sizeof(text), "cpu of comm=%0*d > 1%% for 1s", 256, 1);
	refused(text, "at most 255 bytes");
	snprintf(text, sizeof(text), "cpu > 1%% for %0*ds", 400, 1);
	refused(text, "a time from 1s to 24h");
}

int main(void)
{
	static const struct test tests[] = {
		{"measures", test_measures},
		{"subjects", test_subjects},
		{"free spaces", test_spaces},
		{"an error points at its place", test_places},
		{"pressure of processes", test_pressure_of_processes},
		{"long words", test_lengths},
		{0},
	};

	return run_tests("rule", tests);
}
