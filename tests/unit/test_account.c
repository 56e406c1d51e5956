// SPDX-License-Identifier: GPL-2.0-only
/*
 * The ledger of a counted event stays exact while the event's period rises: one of so many hits is
 * a sample, and no hit is told twice or forgotten. Every number below was worked out by hand.
 */
#include "expect.h"

#include <stdlib.h>
#include <string.h>

#include "../../kern/maps/turns.bpf.h"
#include "capture/kernel/account.h"
#include "capture/kernel/sets.h"
#include "profile/ledger.h"

#define NR_CPUS	  2
#define NR_EVENTS 2

static struct ledger_cpu rows[LEDGER_ROWS(NR_EVENTS, NR_CPUS)];
static struct program_session session;
static struct account account;
static struct ledger ledger;
static struct gathered gathered[NR_CPUS];

static void begin(void)
{
	memset(rows, 0, sizeof(rows));
	memset(gathered, 0, sizeof(gathered));
	session = (struct program_session){0};
	account = (struct account){
		.rows = rows, .nr_events = 1, .nr_cpus = NR_CPUS, .session = &session};
	ledger = (struct ledger){0};
}

/* The program counts hits of a target in generation 0. Each hit has the weight "each". */
static void weigh(unsigned int cpu, unsigned int nr_hits, uint64_t each)
{
	struct ledger_cpu *row = &rows[ledger_row(0, 0, 1, NR_CPUS, cpu)];

	for (; nr_hits; nr_hits--) {
		__u64 weight = each;
		const bool is_sample = take_turn(&gathered[cpu], session.one_in[0], &weight);

		row->slots[SLOT_RUNS]++;
		row->slots[is_sample ? SLOT_COUNTED : SLOT_PASSED]++;
		row->slots[SLOT_WEIGHT] += is_sample ? weight : 0;
	}
}

static void hit(unsigned int cpu, unsigned int nr_hits)
{
	weigh(cpu, nr_hits, 1);
}

/* The program filters hits of processes that are no targets. */
static void miss(unsigned int cpu, unsigned int nr_hits)
{
	struct ledger_cpu *row = &rows[ledger_row(0, 0, 1, NR_CPUS, cpu)];

	row->slots[SLOT_RUNS] += nr_hits;
	row->slots[SLOT_FILTERED] += nr_hits;
}

static void drain(void)
{
	struct set set = {0};

	account__take_runs(&account, 0, &set, &ledger);
}

static uint64_t lose(uint64_t nr_hits)
{
	struct ledger told = {.events = nr_hits, .lost = {[LOSS_PROGRAM_BUSY] = nr_hits}};

	account__in_samples(&account, 0, &told);
	EXPECT_EQ(told.events, told.lost[LOSS_PROGRAM_BUSY]);
	ledger__add(&ledger, &told);
	return told.events;
}

static void test_each(void)
{
	begin();
	hit(0, 1000);
	hit(1, 234);
	miss(1, 66);
	drain();
	EXPECT_EQ(lose(10), 10);
	EXPECT_EQ(ledger.counted, 1234);
	EXPECT_EQ(ledger.sampled_ns, 1234);
	EXPECT_EQ(ledger.filtered, 66);
	EXPECT_EQ(ledger.events, 1310);
	EXPECT_EQ(account__nr_runs(&account, 0), 1300);
}

/*
 * The period is 1, then 4, then 8. The first CPU has 5, 10 and 22 hits, the second none, 3 and 8.
 */
static void test_rising(void)
{
	begin();
	hit(0, 5);
	drain();
	EXPECT_EQ(ledger.counted, 5);

	session.one_in[0] = 4;
	hit(0, 10); /* two samples, and 2 hits on their way */
	hit(1, 3);
	drain();
	EXPECT_EQ(ledger.counted, 7);
	EXPECT_EQ(ledger.events, 7);
	EXPECT_EQ(ledger.sampled_ns, 5 + 8);

	session.one_in[0] = 8;
	hit(0, 22); /* 24 with the two */
	hit(1, 8);  /* 11 with the three: one sample of 8 */
	drain();
	EXPECT_EQ(ledger.counted, 7 + 3 + 1);
	EXPECT_EQ(ledger.events, 11);
	EXPECT_EQ(ledger.sampled_ns, 5 + 8 + 24 + 8);
	EXPECT_EQ(gathered[0].hits, 0);
	EXPECT_EQ(gathered[1].hits, 3);
	EXPECT_EQ(account__nr_runs(&account, 0), 5 + 10 + 3 + 22 + 8);
	EXPECT(ledger.events == ledger.counted + ledger.filtered + ledger__lost(&ledger));
}

/*
 * When a period falls, more hits than the new one asks for are waiting: their sample weighs all of
 * them.
 */
static void test_falling(void)
{
	begin();
	session.one_in[0] = 100;
	hit(0, 60);
	session.one_in[0] = 10;
	hit(0, 1);
	drain();
	EXPECT_EQ(ledger.counted, 1);
	EXPECT_EQ(ledger.sampled_ns, 61);
}

/*
 * Heavy hits are in step with the period: a sample weighs the sum of its hits, not its last hit
 * times the period.
 */
static void test_weights(void)
{
	begin();
	session.one_in[0] = 10;
	for (int i = 0; i < 7; i++) {
		weigh(0, 9, 1);
		weigh(0, 1, 1001);
	}
	weigh(0, 9, 5); /* in no sample yet */
	weigh(1, 10, 0);
	drain();
	EXPECT_EQ(ledger.counted, 7 + 1);
	EXPECT_EQ(ledger.sampled_ns, 7 * 1010);
	EXPECT_EQ(gathered[0].weight, 45);
	session.one_in[0] = 20; /* 9 and 11 */
	weigh(0, 11, 2);
	drain();
	EXPECT_EQ(ledger.counted, 9);
	EXPECT_EQ(ledger.sampled_ns, 7 * 1010 + 45 + 22);
	begin();
	session.one_in[0] = 4;
	weigh(0, 4, 1ULL << 62); /* more than a number holds */
	drain();
	EXPECT_EQ(ledger.sampled_ns, ABI_MAX_WEIGHT);
}

/* Hits that are filtered or lost are told in samples, too, and the remainder is kept. */
static void test_others(void)
{
	begin();
	session.one_in[0] = 4;
	miss(0, 10);
	drain();
	EXPECT_EQ(ledger.filtered, 2);
	miss(1, 2);
	drain();
	EXPECT_EQ(ledger.filtered, 3);
	EXPECT_EQ(lose(3), 0);
	EXPECT_EQ(lose(1), 1);
	EXPECT_EQ(lose(7), 1);
	session.one_in[0] = 8; /* 3 were left */
	EXPECT_EQ(lose(5), 1);
	EXPECT_EQ(ledger.events, 3 + 3);
	EXPECT(ledger.events == ledger.counted + ledger.filtered + ledger__lost(&ledger));
}

static void spend(uint32_t generation, unsigned int event, unsigned int cpu, enum ledger_slot slot,
		  uint64_t ns)
{
	rows[ledger_row(generation, event, NR_EVENTS, NR_CPUS, cpu)].slots[slot] += ns;
}

/*
 * Each time of threads in the rows of an event is taken once, and none of another event or
 * generation.
 */
static void test_wall(void)
{
	struct ledger ledgers[NR_EVENTS] = {{0}};
	struct set set = {0};

	begin();
	account.nr_events = NR_EVENTS;
	for (unsigned int cpu = 0; cpu < NR_CPUS; cpu++) {
		spend(1, 1, cpu, SLOT_LIVED_NS, 1000000000 + 111 * cpu);
		spend(1, 1, cpu, SLOT_RUNNING_NS, 100000000 + 1 * cpu);
		spend(1, 1, cpu, SLOT_RUNNABLE_NS, 20000000 + 10 * cpu);
		spend(1, 1, cpu, SLOT_BLOCKED_NS, 870000000 + 100 * cpu);
		spend(1, 1, cpu, SLOT_UNKNOWN_NS, 10000000);
		spend(1, 1, cpu, SLOT_SCHEDULED_NS, 3 + 1000 * cpu);
		spend(1, 1, cpu, SLOT_DELAYED_NS, 5 + 10000 * cpu);
		spend(1, 1, cpu, SLOT_UNCREDITED_NS, 19 + 10 * cpu);
		spend(1, 1, cpu, SLOT_OVERCREDITED_NS, 23 + 10 * cpu);
		spend(1, 1, cpu, SLOT_SWITCHES, 7 + 100000 * cpu);
		spend(1, 1, cpu, SLOT_UNPLACED, 11 + 1000000 * cpu);
		spend(1, 0, cpu, SLOT_UNPLACED, 13); /* a weight of an event that is no wait */
		spend(0, 1, cpu, SLOT_LIVED_NS, 17);
	}
	account__take_runs(&account, 1, &set, ledgers);
	EXPECT_EQ(ledgers[1].wall_ns, 2000000111);
	EXPECT_EQ(ledgers[1].running_ns, 200000001);
	EXPECT_EQ(ledgers[1].runnable_ns, 40000010);
	EXPECT_EQ(ledgers[1].blocked_ns, 1740000100);
	EXPECT_EQ(ledgers[1].unknown_ns, 20000000);
	EXPECT_EQ(ledger__wall_error_ns(&ledgers[1]), 0);
	EXPECT_EQ(ledgers[1].scheduled_ns, 1006);
	EXPECT_EQ(ledgers[1].delayed_ns, 10010);
	EXPECT_EQ(ledgers[1].uncredited_ns, 48);
	EXPECT_EQ(ledgers[1].overcredited_ns, 56);
	EXPECT_EQ(ledgers[1].switches, 100014);
	EXPECT_EQ(ledgers[1].unplaced_ns, 1000022);
	EXPECT(!ledger__has_wall(&ledgers[0]));
	EXPECT_EQ(ledgers[0].unplaced_ns, 0);

	account__take_runs(&account, 1, &set, ledgers); /* they are taken */
	EXPECT_EQ(ledgers[1].wall_ns, 2000000111);
	account__take_runs(&account, 0, &set, ledgers);
	EXPECT_EQ(ledgers[1].wall_ns, 2000000111 + 2 * 17);
	EXPECT_EQ(ledger__wall_error_ns(&ledgers[1]), 2 * 17);
}

/* Hits of two kinds by turns: either has half of the weight, and no hit is forgotten. */
static void test_by_turns(void)
{
	uint64_t weights[2] = {0}, nr_samples = 0;

	begin();
	srandom(1);
	for (unsigned int i = 0; i < 6400000; i++) {
		__u64 weight = 1;

		if (!take_turn(&gathered[0], 64, &weight))
			continue;
		EXPECT(weight >= 1 && weight <= 127);
		gathered[0].chance = ((uint64_t)random() << 1) & 0xffffffff;
		weights[i % 2] += weight;
		nr_samples++;
	}
	EXPECT_EQ(weights[0] + weights[1] + gathered[0].hits, 6400000);
	EXPECT_NEAR(nr_samples, 100000, 1000);
	EXPECT_NEAR(weights[0], 3200000, 64000);
}

int main(void)
{
	static const struct test tests[] = {
		{"each hit is a sample", test_each},
		{"the period rises", test_rising},
		{"or falls", test_falling},
		{"hits of different weights", test_weights},
		{"hits of others, and lost ones", test_others},
		{"what threads did in their time", test_wall},
		{"hits by turns", test_by_turns},
		{0},
	};

	return run_tests("account", tests);
}
