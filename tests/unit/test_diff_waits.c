// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs of waits are compared by the number of waits in a second; the sums of their lengths are told
 * only.
 */
#include <errno.h>
#include <stdlib.h>

#include "diff/compare.h"
#include "expect.h"
#include "formats/formats.h"
#include "scratch.h"
#include "waits_model.h"

#define RUNS  3
#define EQUAL 2000 /* waits on both sides, about */

static char text[65536];

#define KERNEL "__schedule@[kernel] schedule@[kernel] "

/* Writes a run of waits; the first run is of another build of the kernel. */
static void write_run(const char *path, uint64_t nr_locks, uint64_t average_ns, bool is_first)
{
	static const struct write_options plain;
	struct model model = waits__new();
	const struct recording recording = {
		.profile = model.profile,
		.facts = {[FACT_EVENT] = "off-cpu"},
		.has_ledger = true,
		.duration_ns = 10000 * MS,
		.ledger = {.wall_ns = 10000 * MS, .blocked_ns = 10000 * MS},
	};
	FILE *out = fopen(path, "w");

	add_wait(&model, 1, WAIT(WAIT_INTERRUPTIBLE, WAIT_FOR_LOCK), nr_locks,
		 nr_locks * average_ns,
		 is_first ? KERNEL "futex_wait.isra.0@[kernel] lock@s main@s"
			  : KERNEL "futex_wait@[kernel] lock@s main@s");
	add_wait(&model, 1, WAIT(WAIT_WOKEN, WAIT_FOR_LOCK), 0, 1000 * nr_locks,
		 KERNEL "futex_wait@[kernel] lock@s main@s");
	add_wait(&model, 1, WAIT(WAIT_DISK, WAIT_FOR_DISK), EQUAL + 17 * (uint64_t)is_first,
		 EQUAL * MS, KERNEL "io_schedule@[kernel] fsync@c main@s");
	EXPECT_EQ(pprof__write(out, &recording, &plain), 0);
	fclose(out);
	model__free(&model);
}

static const char *compare(enum per per, uint64_t base_locks, uint64_t new_locks,
			   uint64_t new_average_ns, int expected_code)
{
	const struct compare_plan plan = {
		.by = MATCH_FUNCTIONS,
		.rates.per = per,
		.nr_rows = 40,
		.unchanged = true,
		.format = "text",
		.output = scratch_path("report"),
	};
	struct diff_config config;
	struct run_files files = {0};
	struct error err = {0};
	char name[32];
	FILE *in;

	diff_config__init(&config);
	for (uint64_t i = 0; i < 2 * RUNS; i++) {
		snprintf(name, sizeof(name), "%d.pb", (int)i);
		write_run(scratch_path(name), (i % 2 ? new_locks : base_locks) + i * 7,
			  i % 2 ? new_average_ns : MS, i < 2);
		EXPECT_EQ(run_files__add(&files, scratch_path(name), i % 2 ? SIDE_NEW : SIDE_BASE,
					 &err),
			  0);
	}
	EXPECT_EQ(compare__files(&plan, &config, &files, &err), expected_code);
	run_files__free(&files);
	diff_config__fini(&config);
	in = fopen(scratch_path("report"), "r");
	text[fread(text, 1, sizeof(text) - 1, in)] = '\0';
	fclose(in);
	return text;
}

/* The line of that unit. */
static const char *row_of(const char *unit)
{
	static char line[512];
	const char *at = strstr(text, unit), *start = at;

	if (!at)
		return "";
	while (start > text && start[-1] != '\n')
		start--;
	snprintf(line, sizeof(line), "%.*s", (int)strcspn(start, "\n"), start);
	return line;
}

/* Twice as many waits for locks in a second; the disk has as many, though its share fell. */
static void test_more_waits(void)
{
	compare(PER_SECOND, 3000, 6000, MS, EXIT_GATE);
	EXPECT(!strncmp(row_of("total  lock (s)"), "regressed", 9));
	EXPECT(!strncmp(row_of("total  futex_wait ("), "regressed", 9));
	EXPECT(!strncmp(row_of("total  fsync (c)"), "unchanged", 9));
	EXPECT(!strstr(text, "futex_wait.isra"));
	EXPECT(strstr(text, "waits a run: "));
	EXPECT(!strstr(text, "CPU time"));
}

/* Functions of the kernel that wait are no noise of the machine where waits are counted. */
static void test_kernel_functions(void)
{
	compare(PER_SECOND, 3000, 6000, MS, EXIT_GATE);
	EXPECT(!strncmp(row_of("self   __schedule ([kernel])"), "regressed", 9));
	EXPECT(!strncmp(row_of("total  io_schedule ([kernel])"), "unchanged", 9));
}

/* As many, each three times as long: that is told, and not judged. */
static void test_longer_waits(void)
{
	compare(PER_SECOND, 3000, 3000, 3 * MS, 0);
	EXPECT(strstr(text, "compared are counts of waits; their weight is not judged"));
	EXPECT(strstr(text, ": 5.02 s → 11.1 s a run\n"));
}

/* An event may be named; the weight alone may not. */
static void test_named(void)
{
	static const char *const names[] = {"off-cpu", "waits", "off_cpu"};

	for (size_t i = 0; i < 3; i++) {
		struct run_files files = {.sample_type = names[i]};
		struct error err = {0};

		write_run(scratch_path("one.pb"), 100, MS, false);
		EXPECT_EQ(run_files__add(&files, scratch_path("one.pb"), SIDE_BASE, &err), 0);
		EXPECT_EQ(run_files__read(&files, &err), i < 2 ? 0 : -EINVAL);
		run_files__free(&files);
	}
}

int main(int argc, char **argv)
{
	static const struct test tests[] = {
		{"more waits in a second", test_more_waits},
		{"functions of the kernel", test_kernel_functions},
		{"longer waits", test_longer_waits},
		{"values that are named", test_named},
		{0},
	};

	(void)argc;
	(void)argv;
	scratch_create();
	return run_tests("diff_waits", tests);
}
