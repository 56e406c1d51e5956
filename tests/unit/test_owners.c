// SPDX-License-Identifier: GPL-2.0-only
/* Stacks by their owners, and stacks of waits by the states of their threads. */
#include <string.h>

#include "expect.h"
#include "formats/formats.h"
#include "formats/owners.h"
#include "waiting_model.h"

static void test_states(void)
{
	static const uint64_t expected[WAIT_STATES] = {[WAIT_INTERRUPTIBLE] = 740000000,
						       [WAIT_PREEMPTED] = 50000000,
						       [WAIT_WOKEN] = 200000000,
						       [WAIT_STOPPED] = 10000000};
	struct recording recording = waiting_recording();
	uint64_t sums[WAIT_STATES] = {0};
	struct owners owners;
	const struct owned_row *rows;
	size_t nr_rows;

	owners__init(&owners, &recording, MERGE_BY_COMM);
	EXPECT_EQ(owners.nr_owners, 1);
	EXPECT_EQ(owners.owners[0].total, 1000000000);
	rows = owners__rows(&owners, 0, &nr_rows);
	EXPECT_EQ(nr_rows, 6);
	for (size_t i = 0; i < nr_rows; i++) {
		EXPECT(!i ||
		       rows[i].row.values[VALUE_WEIGHT] <= rows[i - 1].row.values[VALUE_WEIGHT]);
		sums[rows[i].state] += rows[i].row.values[VALUE_WEIGHT];
	}
	for (int state = 0; state < WAIT_STATES; state++)
		EXPECT_EQ(sums[state], expected[state]);
	owners__fini(&owners);
	recording__fini(&recording);
}

/* Where nothing is told of waits, a stack is one row. */
static void test_plain(void)
{
	struct model model = model__new();
	struct recording recording = {.profile = model.profile};
	struct owners owners;
	size_t nr_rows;

	add(&model, "sh", 1, 30, "write@libc main@sh");
	add(&model, "sh", 2, 20, "write@libc main@sh");
	add(&model, "cron", 3, 70, "main@cron");
	owners__init(&owners, &recording, MERGE_BY_COMM);
	EXPECT_EQ(owners.nr_owners, 2);
	EXPECT_EQ(owners__rows(&owners, 1, &nr_rows)->row.values[VALUE_COUNT], 50);
	EXPECT_EQ(nr_rows, 1);
	EXPECT_EQ(owners__rows(&owners, 1, &nr_rows)->state, WAIT_UNKNOWN);
	owners__fini(&owners);
	model__free(&model);
}

static void expect_firefox(const struct recording *recording, const char *words, bool are_there)
{
	const struct write_options options = {0};
	size_t size;
	char *text;
	FILE *out = open_memstream(&text, &size);

	EXPECT_EQ(firefox__write(out, recording, &options), 0);
	fclose(out);
	EXPECT_EQ(strstr(text, words) != NULL, are_there);
	free(text);
}

/* Leaves have the category of their thread's state, all other frames that of their kind. */
static void test_categories(void)
{
	struct recording recording = waiting_recording();
	struct model model = model__new();
	struct recording plain = {.profile = model.profile};

	expect_firefox(&recording, "\"name\":\"Blocked\",\"color\":\"blue\"", true);
	/*
	 * main, recv, schedule (blocked); lock, schedule (blocked, woken); parse (preempted); ...
	 */
	expect_firefox(&recording, "\"category\":[0,0,7,0,7,11,10,0,7,13]", true);
	add(&model, "sh", 1, 30, "write@libc main@sh");
	expect_firefox(&plain, "Blocked", false);
	model__free(&model);
	recording__fini(&recording);
}

int main(void)
{
	static const struct test tests[] = {
		{"of waits", test_states},
		{"of other events", test_plain},
		{"categories of Firefox", test_categories},
		{0},
	};

	return run_tests("owners", tests);
}
