// SPDX-License-Identifier: GPL-2.0-only
/* From what the user says to events in order. */
#include "expect.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "capture/events/event.h"
#include "capture/events/source.h"

static void test_cpu(void)
{
	static const char *const words[] = {NULL, "cpu", "cpu-clock"};
	struct events events;
	struct error err = {0};
	size_t i;

	for (i = 0; i < 3; i++) {
		EXPECT_EQ(events__parse(&events, words[i], &err), 0);
		EXPECT_EQ(events.nr, 1);
		EXPECT(events.list[0].source == &cpu_source);
		EXPECT_STR(events.list[0].name, "cpu-clock");
		events__free(&events);
		EXPECT_EQ(events.nr, 0);
	}
}

static void test_off_cpu(void)
{
	struct events events;
	struct error err = {0};

	EXPECT_EQ(events__parse(&events, "off-cpu:uk", &err), 0); /* both modes: as without */
	EXPECT_EQ(events.nr, 1);
	EXPECT(events.list[0].source == &off_cpu_source);
	EXPECT_STR(events.list[0].name, "off-cpu");
	EXPECT(!events.list[0].has_rate);
	EXPECT_EQ(events.list[0].metrics.shown, VALUE_WEIGHT);
	EXPECT(events.list[0].metrics.of[VALUE_COUNT].is_events);
	EXPECT_STR(events.list[0].metrics.of[VALUE_COUNT].name, "waits");
	EXPECT_STR(events.list[0].metrics.of[VALUE_WEIGHT].name, "off_cpu");
	EXPECT_EQ(metric__unit_ns(&events.list[0].metrics.of[VALUE_WEIGHT]), 1);
	events__free(&events);
}

static void expect_error(const char *words, int code, const char *part)
{
	struct events events;
	struct error err = {0};

	EXPECT_EQ(events__parse(&events, words, &err), code);
	EXPECT_EQ(events.nr, 0);
	EXPECT_EQ(err.exit_code, EXIT_USAGE);
	EXPECT(strstr(err.text, part) != NULL && !strchr(err.text, '\033'));
}

static void test_errors(void)
{
	expect_error("no-such-thing", -ENOENT, "no such event: \"no-such-thing\"");
	expect_error("cp\033u", -EINVAL, "");
	expect_error("cpu,no-such-thing", -ENOENT, "no such event: \"no-such-thing\"");
	expect_error("cpu,cpu-clock", -EINVAL, "-e has \"cpu-clock\" twice");
	expect_error("cpu,cpu", -EINVAL, "-e has \"cpu\" twice");
	expect_error("software", -ENOENT, "no such event: \"software\"");
	expect_error("page-faults,faults/period=100/", -EINVAL, "-e has \"page-faults\" twice");
	expect_error("page-faults:u,page-faults/period=2/u", -EINVAL,
		     "-e has \"page-faults:u\" twice");
	expect_error("cpu:u", -EINVAL, "cpu has no terms");
	expect_error("cpu/period=1000/", -EINVAL, "cpu has no terms");
}

/* Each wait is one: nothing chooses among them but the options for all events. */
static void test_waits_errors(void)
{
	static const char *const names[] = {"off-cpu", "wall", "lock"};
	static const char *const terms[] = {
		":u", ":k", "/period=1000/", "/freq=99/", "/weight=arg1/", "/prev_pid==1/"};
	char words[64], told[64];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(told, sizeof(told), "%s has neither terms nor modes", names[i]);
		for (size_t j = 0; j < sizeof(terms) / sizeof(terms[0]); j++) {
			snprintf(words, sizeof(words), "%s%s", names[i], terms[j]);
			expect_error(words, -EINVAL, told);
		}
	}
	expect_error("off-cpu,off-cpu", -EINVAL, "-e has \"off-cpu\" twice");
	expect_error("off-cp", -ENOENT, "off-cpu");
}

int main(void)
{
	static const struct test tests[] = {
		{"cpu is the event that nobody need name", test_cpu},
		{"off-cpu is waits, and their time", test_off_cpu},
		{"what is said wrong gets a sentence", test_errors},
		{"waits have no terms", test_waits_errors},
		{0},
	};

	return run_tests("events", tests);
}
