// SPDX-License-Identifier: GPL-2.0-only
/* The table of sources, and what its rows name in the BPF object. */
#include "expect.h"

#include <errno.h>
#include <string.h>

#include <bpf/libbpf.h>

#include "capture/skeleton.h"
#include "capture/source.h"

static void test_finding(void)
{
	struct error err = {0};

	EXPECT(sources__find("cpu", &err) == &cpu_source);
	EXPECT(sources__find("cpu-clock", &err) == &cpu_source);
	EXPECT(sources__find(NULL, &err) == &cpu_source);
	EXPECT(sources__find("cp\033u", &err) == NULL);
	EXPECT_EQ(err.code, -ENOENT);
	EXPECT(strstr(err.text, "no such event") != NULL && !strchr(err.text, '\033'));
}

/* A row names programs that are there, and what its values measure. */
static void test_rows(void)
{
	struct topstacks_bpf *skeleton;
	const struct source *const *source;
	enum walk walk;

	libbpf_set_print(NULL);
	skeleton = topstacks_bpf__open();
	for (source = sources; *source; source++) {
		for (walk = 0; walk < WALKS; walk++)
			EXPECT(bpf_object__find_program_by_name(skeleton->obj,
								(*source)->programs[walk]));
		EXPECT((*source)->metrics.of[(*source)->metrics.shown].name != NULL);
		EXPECT((*source)->parse((*source)->name));
	}
	topstacks_bpf__destroy(skeleton);
}

static void test_cpu_metrics(void)
{
	const struct metric *count = &cpu_source.metrics.of[VALUE_COUNT];
	const struct metric *weight = &cpu_source.metrics.of[VALUE_WEIGHT];

	EXPECT_STR(cpu_source.name, "cpu-clock");
	EXPECT(count->is_events && !weight->is_events);
	EXPECT_EQ(metric__unit_ns(count), 0);
	EXPECT_EQ(metric__unit_ns(weight), 1);
	EXPECT_EQ(cpu_source.period(99), 10101010);
	EXPECT_NEAR(cpu_source.needed_limit_hz(99), 99, 1001); /* by CONFIG_HZ */
	EXPECT_STR(count->unit, "count");
	EXPECT_STR(weight->unit, "nanoseconds");
}

int main(void)
{
	static const struct test tests[] = {
		{"an event is found by its words", test_finding},
		{"rows name programs and values", test_rows},
		{"what the CPU's timer measures", test_cpu_metrics},
		{0},
	};

	return run_tests("sources", tests);
}
