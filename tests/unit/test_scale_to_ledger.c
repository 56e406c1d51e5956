// SPDX-License-Identifier: GPL-2.0-only
/* Samples of a part of what threads did are made to add up to the account of all their time. */
#include "run/scale_to_ledger.h"

#include "expect.h"
#include "model.h"
#include "profile/ledger.h"
#include "profile/wait.h"

static const struct ledger account = {
	.wall_ns = 1000, .running_ns = 300, .runnable_ns = 200, .blocked_ns = 500};

static uint64_t weight_in(const struct profile *profile, enum wait_state state)
{
	size_t nr;
	const struct sample *samples = profile__samples(profile, &nr);
	uint64_t sum = 0;

	for (size_t i = 0; i < nr; i++)
		if (wait__state(samples[i].wait) == state)
			sum += samples[i].values[VALUE_WEIGHT];
	return sum;
}

static void put(struct model *model, enum wait_state state, uint64_t weight)
{
	const struct sample sample = {.process = model__process(model, "prog", 1),
				      .stack = model__stack(model, "f@prog main@prog"),
				      .wait = WAIT(state, WAIT_FOR_OTHER),
				      .values = {1, weight}};

	profile__add(model->profile, &sample);
}

/* One in four blocked waits was sampled, and no other. */
static void test_adds_up(void)
{
	struct model model = model__new();

	put(&model, WAIT_INTERRUPTIBLE, 100);
	put(&model, WAIT_DISK, 25);
	scale_to_ledger__profile(model.profile, &account, true, true);
	EXPECT_EQ(weight_in(model.profile, WAIT_INTERRUPTIBLE), 400);
	EXPECT_EQ(weight_in(model.profile, WAIT_DISK), 100);
	EXPECT_EQ(weight_in(model.profile, WAIT_WOKEN), 200);
	EXPECT_EQ(weight_in(model.profile, WAIT_RUNNING), 300);
	EXPECT_EQ(profile__total(model.profile, VALUE_WEIGHT), 1000);
	EXPECT_EQ(profile__total(model.profile, VALUE_COUNT), 2);
	model__free(&model);
}

/* Without any sample only the time is known. */
static void test_no_sample(void)
{
	struct model model = model__new();

	scale_to_ledger__profile(model.profile, &account, false, true);
	EXPECT_EQ(weight_in(model.profile, WAIT_INTERRUPTIBLE), 500);
	EXPECT_EQ(weight_in(model.profile, WAIT_WOKEN), 200);
	EXPECT_EQ(profile__total(model.profile, VALUE_WEIGHT), 700);
	EXPECT_EQ(profile__total(model.profile, VALUE_COUNT), 0);
	model__free(&model);
}

/* Where all waits are samples, they have their time already. */
static void test_not_thinned(void)
{
	struct model model = model__new();

	put(&model, WAIT_INTERRUPTIBLE, 100);
	scale_to_ledger__profile(model.profile, &account, false, false);
	EXPECT_EQ(profile__total(model.profile, VALUE_WEIGHT), 100);
	model__free(&model);
}

int main(void)
{
	static const struct test tests[] = {
		{"a part adds up to all", test_adds_up},
		{"without a sample the time stays", test_no_sample},
		{"all of it is left alone", test_not_thinned},
		{0},
	};

	return run_tests("scale_to_ledger", tests);
}
