// SPDX-License-Identifier: GPL-2.0-only
/* The table of sources, and the objects of the BPF object file that its rows name. */
#include "expect.h"

#include <bpf/libbpf.h>

#include "capture/capture.h"
#include "capture/events/event.h"
#include "capture/events/source.h"
#include "capture/host/skeleton.h"

/* A row names programs that are there. */
static void test_rows(void)
{
	struct topstacks_bpf *skeleton;
	const struct source *const *source;
	enum walk walk;

	libbpf_set_print(NULL);
	skeleton = topstacks_bpf__open();
	for (source = sources; *source; source++) {
		for (walk = 0; walk < WALKS; walk++)
			EXPECT((walk == WALK_INTERPRETERS && !(*source)->programs[walk]) ||
			       bpf_object__find_program_by_name(skeleton->obj,
								(*source)->programs[walk]));
	}
	topstacks_bpf__destroy(skeleton);
}

static void test_cpu_metrics(void)
{
	const struct metric *count, *weight;
	struct events events;
	struct error err = {0};

	EXPECT_EQ(events__parse(&events, NULL, &err), 0);
	count = &events.list[0].metrics.of[VALUE_COUNT];
	weight = &events.list[0].metrics.of[VALUE_WEIGHT];
	EXPECT_STR(events.list[0].name, "cpu-clock");
	EXPECT(events.list[0].has_rate);
	EXPECT(count->is_events && !weight->is_events);
	EXPECT_EQ(metric__unit_ns(count), 0);
	EXPECT_EQ(metric__unit_ns(weight), 1);
	EXPECT_EQ(event__period(&events.list[0], 99), 10101010);
	EXPECT_NEAR(capture__needed_limit_hz("cpu", 99), 99, 1001); /* by CONFIG_HZ */
	EXPECT_STR(count->unit, "count");
	EXPECT_STR(weight->unit, "nanoseconds");
	events__free(&events);
}

int main(void)
{
	static const struct test tests[] = {
		{"rows name programs", test_rows},
		{"what the CPU's timer measures", test_cpu_metrics},
		{0},
	};

	return run_tests("sources", tests);
}
