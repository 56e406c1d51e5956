// SPDX-License-Identifier: GPL-2.0-only
/* Profiles of waits: their rows, groups and choices, and the part of them that waits for work. */
#include <errno.h>

#include "expect.h"
#include "profile/select/choice.h"
#include "profile/select/idle_waits.h"
#include "waits_model.h"

#define BLOCKED(kind) WAIT(WAIT_INTERRUPTIBLE, kind)
#define WOKEN(kind)   WAIT(WAIT_WOKEN, kind)
#define PREEMPTED     WAIT(WAIT_PREEMPTED, WAIT_FOR_NOTHING)

static struct model example(void)
{
	struct model model = waits__new();

	add_wait(&model, 1, BLOCKED(WAIT_FOR_LOCK), 10, 500 * MS, "futex@[kernel] work@s main@s");
	add_wait(&model, 1, WOKEN(WAIT_FOR_LOCK), 0, 20 * MS, "futex@[kernel] work@s main@s");
	add_wait(&model, 1, PREEMPTED, 3, 510 * MS, "futex@[kernel] work@s main@s");
	add_wait(&model, 2, WAIT(WAIT_DISK, WAIT_FOR_DISK), 5, 300 * MS, "read@s main@s");
	add_wait(&model, 2, WAIT(WAIT_UNINTERRUPTIBLE, WAIT_FOR_DISK), 5, 30 * MS, "read@s main@s");
	return model;
}

/* ---- rows ---- */

/* The kind counts in every state: 520 ms of lock are more than 510 preempted. */
static void test_rows(void)
{
	struct model model = example();
	struct row *rows;

	EXPECT(profile__has_waits(model.profile));
	EXPECT_EQ(profile__top_stacks(model.profile, MERGE_BY_COMM, &rows), 2);
	EXPECT_EQ(rows[0].values[VALUE_COUNT], 13);
	EXPECT_EQ(rows[0].values[VALUE_WEIGHT], 1030 * MS);
	EXPECT_STR(wait__describe(rows[0].wait), "lock");
	EXPECT_EQ(rows[0].by_state[WAIT_INTERRUPTIBLE], 500 * MS);
	EXPECT_EQ(rows[0].by_state[WAIT_WOKEN], 20 * MS);
	EXPECT_EQ(rows[0].by_state[WAIT_PREEMPTED], 510 * MS);
	EXPECT_STR(wait__describe(rows[1].wait), "disk");
	EXPECT_EQ(rows[1].by_state[WAIT_DISK], 300 * MS);
	EXPECT_EQ(rows[1].by_state[WAIT_UNINTERRUPTIBLE], 30 * MS);
	free(rows);
	model__free(&model);
}

/* However they were gathered. */
static void test_equal_rows(void)
{
	for (int turn = 0; turn < 2; turn++) {
		struct model model = waits__new();
		struct row *rows;

		for (int i = 0; i < 2; i++)
			add_wait(&model, 1,
				 i == turn ? BLOCKED(WAIT_FOR_NET) : BLOCKED(WAIT_FOR_PIPE), 1, MS,
				 "f@m");
		EXPECT_EQ(profile__top_stacks(model.profile, MERGE_BY_COMM, &rows), 1);
		EXPECT_STR(wait__describe(rows[0].wait), "net");
		free(rows);
		model__free(&model);
	}
}

static void test_no_waits(void)
{
	struct model model = model__new();
	struct row *rows;

	add(&model, "prog", 1, 7, "f@m");
	EXPECT(!profile__has_waits(model.profile));
	EXPECT_EQ(profile__top_stacks(model.profile, MERGE_BY_COMM, &rows), 1);
	EXPECT_EQ(rows[0].wait, 0);
	free(rows);
	model__free(&model);
}

static void test_cleared(void)
{
	struct model model = example(), other = waits__new();

	EXPECT_EQ(profile__merge(other.profile, model.profile), 0);
	EXPECT(profile__has_waits(other.profile));
	profile__clear(model.profile);
	EXPECT(!profile__has_waits(model.profile));
	model__free(&model);
	model__free(&other);
}

/* ---- groups ---- */

static void expect_groups(enum group_by by, const char *expected)
{
	struct model model = example();
	struct group_row *rows;
	char text[256] = "";
	long nr;

	add_wait(&model, 3, 0, 1, 5 * MS, "f@m");
	nr = profile__group(model.profile, by, SORT_BY_SELF, &rows);
	for (long i = 0; i < nr; i++) {
		EXPECT_EQ(rows[i].self, rows[i].total);
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s %llu ", rows[i].name,
			 (unsigned long long)(rows[i].total / MS));
	}
	EXPECT_STR(text, expected);
	free(rows);
	model__free(&model);
}

static void test_groups(void)
{
	expect_groups(GROUP_BY_WAIT, "lock 520 preempted 510 disk 330 [no wait] 5 ");
	expect_groups(GROUP_BY_STATE, "blocked 830 preempted 510 woken 20 [no wait] 5 ");
}

/* ---- choice ---- */

static uint64_t chosen_ms(const char *state, const char *wait)
{
	const struct choice choice = {.state = state, .wait = wait};
	struct model model = example();
	struct recording recording;
	struct error err;
	uint64_t total_ns;

	recording__init(&recording);
	EXPECT_EQ(profile__merge(recording.profile, model.profile), 0);
	EXPECT_EQ(recording__choose(&recording, &choice, &err), 0);
	EXPECT_EQ(choice__is_all(&choice), !state && !wait);
	total_ns = profile__shown_total(recording.profile);
	recording__fini(&recording);
	model__free(&model);
	return total_ns / MS;
}

static void test_choice(void)
{
	struct model model = example();
	struct wait_choice waits = {0};
	struct recording recording;
	struct profile *chosen;
	struct error err = {0};

	EXPECT_EQ(chosen_ms(NULL, NULL), 1360);
	EXPECT_EQ(chosen_ms(NULL, "lock"), 520);
	EXPECT_EQ(chosen_ms(NULL, "!lock"), 840);
	EXPECT_EQ(chosen_ms("blocked", NULL), 830);
	EXPECT_EQ(chosen_ms("blocked", "lock,net"), 500);
	EXPECT_EQ(wait_choice__parse(&waits, NULL, "lock", &err), 0);
	chosen = profile__select_waits(model.profile, &waits);
	EXPECT_EQ(profile__shown_total(chosen), 520 * MS);
	EXPECT_EQ(profile__shown_total(model.profile), 1360 * MS);
	profile__free(chosen);
	model__free(&model);
	recording__init(&recording);
	EXPECT_EQ(recording__choose(&recording, &(struct choice){.wait = "x"}, &err), -EINVAL);
	EXPECT_EQ(err.exit_code, EXIT_USAGE);
	recording__fini(&recording);
}

/* ---- waits for work ---- */

#define SECOND (1000 * MS)

static uint64_t idle_ms(const struct model *model, uint64_t duration_ns)
{
	struct profile *idle, *others;
	uint64_t idle_ns = 0;

	profile__part_idle_waits(model->profile, duration_ns, &idle, &others);
	EXPECT_EQ(!idle, !others);
	if (idle) {
		idle_ns = profile__shown_total(idle);
		EXPECT_EQ(profile__shown_total(others) + idle_ns,
			  profile__shown_total(model->profile));
		EXPECT_EQ(profile__total(others, VALUE_COUNT) + profile__total(idle, VALUE_COUNT),
			  profile__total(model->profile, VALUE_COUNT));
	}
	profile__free(idle);
	profile__free(others);
	return idle_ns / MS;
}

/*
 * A thread waits for work if all its stacks together wait 99 % of the time, in waits of any length.
 */
static void test_idle_threads(void)
{
	struct model model = waits__new();

	add_thread_wait(&model, 1, 11, BLOCKED(WAIT_FOR_POLL), 9000, 900 * MS, "poll@c a@s");
	add_thread_wait(&model, 1, 11, WOKEN(WAIT_FOR_POLL), 0, 5 * MS, "poll@c a@s");
	add_thread_wait(&model, 1, 11, BLOCKED(WAIT_FOR_SLEEP), 1, 90 * MS, "sleep@c b@s");
	add_thread_wait(&model, 1, 12, BLOCKED(WAIT_FOR_LOCK), 0, 980 * MS, "lock@c a@s");
	add_thread_wait(&model, 1, 13, BLOCKED(WAIT_FOR_NET), 0, 1000 * MS, "read@c a@s");
	EXPECT_EQ(idle_ms(&model, SECOND), 995);
	add_thread_wait(&model, 1, 12, BLOCKED(WAIT_FOR_LOCK), 0, 10 * MS, "other@c a@s");
	EXPECT_EQ(idle_ms(&model, SECOND), 1985);
	EXPECT_EQ(idle_ms(&model, 2 * SECOND), 0);
	model__free(&model);
}

/* Threads are not told apart here, or the length of the run is unknown. */
static void test_idle_stacks(void)
{
	struct model model = waits__new();

	add_wait(&model, 1, BLOCKED(WAIT_FOR_POLL), 5, 500 * MS, "poll@c a@s");
	add_wait(&model, 1, WOKEN(WAIT_FOR_POLL), 0, 1 * MS, "poll@c a@s");
	add_wait(&model, 2, BLOCKED(WAIT_FOR_POLL), 6, 599 * MS,
		 "poll@c a@s"); /* another process */
	add_wait(&model, 1, BLOCKED(WAIT_FOR_LOCK), 0, 3 * MS, "lock@c a@s");
	add_wait(&model, 1, BLOCKED(WAIT_FOR_DISK), 0, 800 * MS, "read@c a@s");
	EXPECT_EQ(idle_ms(&model, SECOND), 504);
	EXPECT_EQ(idle_ms(&model, 0), 504);
	model__free(&model);
}

static void test_none_idle(void)
{
	struct model model = waits__new(), cpu = model__new();

	add_wait(&model, 1, BLOCKED(WAIT_FOR_POLL), 50, 500 * MS, "poll@c a@s");
	EXPECT_EQ(idle_ms(&model, SECOND), 0);
	add(&cpu, "prog", 1, 7, "poll@m");
	EXPECT_EQ(idle_ms(&cpu, SECOND), 0);
	model__free(&model);
	model__free(&cpu);
}

int main(void)
{
	static const struct test tests[] = {
		{"a row has what it waited for, and its states", test_rows},
		{"what is waited for equally long", test_equal_rows},
		{"a profile of CPU time has no waits", test_no_waits},
		{"waits come with a merge, and go", test_cleared},
		{"by wait and by state", test_groups},
		{"some waits", test_choice},
		{"threads that wait for work", test_idle_threads},
		{"stacks that wait for work", test_idle_stacks},
		{"where none waits for work", test_none_idle},
		{0},
	};

	return run_tests("waits", tests);
}
