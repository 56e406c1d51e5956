// SPDX-License-Identifier: GPL-2.0-only
/* Names that stand for several events. */
#include "expect.h"

#include <errno.h>
#include <string.h>

#include "capture/events/event.h"
#include "capture/events/presets.h"

static void test_find(void)
{
	EXPECT(preset__find("growth", 6) == &presets[0]);
	EXPECT(preset__find("growth,cpu", 6) == &presets[0]);
	EXPECT(preset__find("growth,cpu", 10) == NULL);
	EXPECT(preset__find("growths", 7) == NULL);
	EXPECT(preset__find("growt", 5) == NULL);
	EXPECT(preset__find("", 0) == NULL);
}

static void test_first(void)
{
	EXPECT(preset__first(NULL) == NULL);
	EXPECT(preset__first("") == NULL);
	EXPECT(preset__first("growth") == &presets[0]);
	EXPECT(preset__first("cpu,growth") == &presets[0]);
	EXPECT(preset__first("cpu/a,growth,b/") == NULL);
	EXPECT(preset__first("growth:u,page-faults") == NULL);
}

/* Each is made of events that are said well, and of no other preset. */
static void test_events(void)
{
	const struct preset *preset;
	struct event_words words;
	struct error err;
	const char *item;
	size_t length;

	for (preset = presets; preset->name; preset++)
		for (item = preset->events; item; item = item[length] ? item + length + 1 : NULL) {
			length = event_words__item_length(item);
			EXPECT(preset__find(item, length) == NULL);
			EXPECT_EQ(event_words__parse(&words, item, length, &err), 0);
			event_words__free(&words);
		}
}

static void expect_error(const char *text, int code, const char *said)
{
	struct events events;
	struct error err = {0};

	EXPECT_EQ(events__parse(&events, text, &err), code);
	EXPECT_EQ(err.exit_code, EXIT_USAGE);
	EXPECT(!strncmp(err.text, said, strlen(said)));
	EXPECT_EQ(events.nr, 0);
}

static void test_errors(void)
{
	expect_error("page-faults,growth", -EINVAL,
		     "-e has \"page-faults\" twice; growth is -e page-faults,syscalls:");
	expect_error("growth:u", -EINVAL,
		     "growth has neither terms nor modes, as it is several events: say -e page-");
	expect_error("growth/period=10/", -EINVAL, "growth has neither terms nor modes");
	expect_error("grwth", -ENOENT, "no such event: \"grwth\"; near: growth");
}

int main(void)
{
	static const struct test tests[] = {
		{"found by name", test_find},
		{"the first of a list", test_first},
		{"what they stand for", test_events},
		{"errors name them", test_errors},
		{0},
	};

	return run_tests("presets", tests);
}
