// SPDX-License-Identifier: GPL-2.0-only
/*
 * The time of a thread is charged: to a generation, to a part of the account, and to samples. The
 * programs' own code runs natively: their maps are arrays of the test.
 */
#include "expect.h"

#include <linux/bpf.h>
#include <linux/types.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf_helpers.h>

static void *find_element(const void *map, const void *key);
static long add_element(void *map, const void *key, const void *value);
static long read_kernel(void *to, size_t size, const void *from);
static unsigned int has_field(const char *reference);

#define __builtin_preserve_access_index(expression) (expression)
#define __builtin_preserve_field_info(field, what)  has_field(#field)
#define __builtin_preserve_type_info(type, what)    0
#define bpf_map_lookup_elem(map, key)		    find_element(map, key)
#define bpf_map_update_elem(map, key, value, flags) add_element(map, key, value)
#define bpf_probe_read_kernel(to, size, from)	    read_kernel(to, size, from)
#define bpf_get_smp_processor_id()		    0
#define DEFINE_MAPS
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wattributes"
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wunused-function"
#include "../../kern/waits/waits.bpf.h"
#pragma GCC diagnostic pop

/* A counts map, and slots of one block. */
struct charged_set {
	struct slot_block block;
	size_t nr; /* keys that are known; each has the slot of its number */
};

static struct ledger_cpu rows[ABI_GENERATIONS];
static struct charged_set counted[ABI_GENERATIONS];
static struct store_cursors cursors_at[ABI_GENERATIONS * PROGRAM_CONTEXTS];
static __u32 numbers[SLOTS_A_BLOCK];

/*
 * The map of processes is not there, and finds no process: charges do not depend on a sample's
 * process.
 */
static void *find_element(const void *map, const void *key)
{
	if (map == &ledger)
		return &rows[*(const __u32 *)key - ledger_row(0, cfg_wait_event, 1, 1, 0)];
	if (map == &cursors)
		return &cursors_at[*(const __u32 *)key];
	if (map == &counts)
		return &counted[*(const __u32 *)key].nr;
	if (map == &slots)
		return &counted[*(const __u32 *)key].block;
	for (int i = 0; i < ABI_GENERATIONS; i++) {
		if (map == &counted[i].block)
			return *(const __u32 *)key ? NULL : &counted[i].block;
		for (size_t j = 0; map == &counted[i].nr && j < counted[i].nr; j++)
			if (!memcmp(&counted[i].block.slots[j].key, key, sizeof(struct sample_key)))
				return &numbers[j];
	}
	return NULL;
}

__attribute__((noinline)) static long add_element(void *map, const void *key, const void *value)
{
	size_t *nr = map;

	(void)key;
	EXPECT_EQ(*(const __u32 *)value, *nr);
	numbers[*nr] = (__u32)*nr;
	++*nr;
	return 0;
}

/* The kernel tells this of quotas; it has the fields of the oldest version otherwise. */
static bool task_says_throttled, queue_has_clock;

static unsigned int has_field(const char *reference)
{
	if (strstr(reference, "task_struct, throttled"))
		return task_says_throttled;
	if (strstr(reference, "throttled_clock_self_time"))
		return queue_has_clock;
	return strstr(reference, "throttle_count") || strstr(reference, "bpf_storage");
}

static long read_kernel(void *to, size_t size, const void *from)
{
	memcpy(to, from, size);
	return 0;
}

/* Generation 0 began at 1000, and 1 at 2000. */
static void begin(__u32 open_generation)
{
	memset(rows, 0, sizeof(rows));
	memset(counted, 0, sizeof(counted));
	memset(cursors_at, 0, sizeof(cursors_at));
	session = (struct program_session){
		.flip_ns = {1000, 2000},
		.begin_ns = 1000,
		.open_generation = open_generation,
		.stores = {{.nr_blocks = 1, .slots_turn = 1}, {.nr_blocks = 1, .slots_turn = 1}}};
}

static __u64 charged(__u32 generation, enum ledger_slot slot)
{
	return rows[generation].slots[slot];
}

static void test_moments(void)
{
	static const struct {
		__u64 flip_ns[2], now_ns, begin_ns;
		__u32 generation;
	} table[] = {
		{{1000, 0}, 1500, 1000, 0},    {{1000, 2000}, 1999, 1000, 0},
		{{1000, 2000}, 2000, 2000, 1}, /* from its first nanosecond on */
		{{3000, 2000}, 2999, 2000, 1}, {{3000, 2000}, 3000, 3000, 0},
		{{0, 2000}, 1999, 0, 0}, /* none has begun */
	};
	struct moment moment;

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		memcpy(session.flip_ns, table[i].flip_ns, sizeof(session.flip_ns));
		moment = moment_at(table[i].now_ns, 0);
		EXPECT_EQ(moment.generation, table[i].generation);
		EXPECT_EQ(moment.flip_ns, table[i].begin_ns);
		EXPECT_EQ(moment.now_ns, table[i].now_ns);
	}
}

static void test_pieces(void)
{
	__u64 until_ns = 1200, from_ns = 0;

	begin(NO_GENERATION);
	EXPECT(take_piece(&until_ns, 1700, &from_ns));
	EXPECT_EQ(from_ns, 1200);
	EXPECT_EQ(until_ns, 1700);
	EXPECT(!take_piece(&until_ns, 1700, &from_ns)); /* no piece is taken twice */
	EXPECT(!take_piece(&until_ns, 1600, &from_ns)); /* a late caller gets none */
	EXPECT_EQ(until_ns, 1700);
	until_ns = 400; /* time before the begin is not charged */
	EXPECT(!take_piece(&until_ns, 900, &from_ns));
	EXPECT_EQ(until_ns, 900);
	EXPECT(take_piece(&until_ns, 1300, &from_ns));
	EXPECT_EQ(from_ns, 1000);
	session.begin_ns = 0; /* nor is anything before it is said */
	EXPECT(!take_piece(&until_ns, 1400, &from_ns));
	EXPECT_EQ(until_ns, 1400);
}

/* A piece is split where a generation begins. The cut has charged the part of a closed one. */
static void test_generations(void)
{
	struct moment moment;

	begin(0);
	moment = moment_at(2300, 0);
	charge_time(&moment, SLOT_RUNNING_NS, 1900);
	EXPECT_EQ(charged(0, SLOT_RUNNING_NS), 100);
	EXPECT_EQ(charged(1, SLOT_RUNNING_NS), 300);
	charge_time(&moment, SLOT_RUNNING_NS, 2100);
	EXPECT_EQ(charged(0, SLOT_RUNNING_NS), 100);
	EXPECT_EQ(charged(1, SLOT_RUNNING_NS), 500);
	begin(NO_GENERATION);
	charge_time(&moment, SLOT_RUNNING_NS, 1900);
	EXPECT_EQ(charged(0, SLOT_RUNNING_NS), 0);
	EXPECT_EQ(charged(1, SLOT_RUNNING_NS), 300);
}

static struct waiting_thread waits_since(__u64 since_ns, enum wait_state state, __u64 turn_ns)
{
	return (struct waiting_thread){
		.since_ns = since_ns,
		.turn_ns = turn_ns,
		.stands_for = 1,
		.key = {.process = 4711,
			.user = 12,
			.kernel = 13,
			.what = WHAT(0, WAIT(state, state == WAIT_PREEMPTED ? WAIT_FOR_NOTHING
									    : WAIT_FOR_PIPE))},
	};
}

/* The thread waits since 1100, and the piece is from 1200 to 1800. */
static void test_wakings(void)
{
	static const struct {
		enum wait_state state;
		__u64 turn_ns;
		bool has_ended;
		__u64 woken_ns;
	} table[] = {
		{WAIT_INTERRUPTIBLE, 1500, true, 1500}, {WAIT_INTERRUPTIBLE, 1200, true, 1200},
		{WAIT_DISK, 1150, true, 1200}, /* before the piece, which is a wait for a CPU */
		{WAIT_DISK, 1900, true, 1800}, /* after it: with a later one */
		{WAIT_UNINTERRUPTIBLE, 0, false, 1800}, /* the thread was not woken */
		{WAIT_INTERRUPTIBLE, 0, true, 1800},	/* nor is known to have */
		{WAIT_PREEMPTED, 1500, true, 1200},	/* all is a wait for a CPU */
		{WAIT_PREEMPTED, 0, false, 1200},	{WAIT_WOKEN, 0, false, 1200},
		{WAIT_THROTTLED, 0, false, 1200},
	};
	struct wait_piece piece = {.from_ns = 1200, .to_ns = 1800};
	struct waiting_thread thread;

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		thread = waits_since(1100, table[i].state, table[i].turn_ns);
		piece.has_ended = table[i].has_ended;
		EXPECT_EQ(woken_at(&thread, &piece), table[i].woken_ns);
	}
}

static void expect_sample(const struct count_slot *sample, __u32 wait, __u64 count, __u64 weight)
{
	EXPECT_EQ(sample->key.process, 4711);
	EXPECT_EQ(WHAT_WAIT(sample->key.what), wait);
	EXPECT_EQ(sample->value.count, count);
	EXPECT_EQ(sample->value.weight, weight);
}

/*
 * Two samples of a stack: the wait, which has ended, and then that for a CPU, which is no wait of
 * its own.
 */
static void test_samples(void)
{
	struct task_struct task = {.group_leader = &task};
	struct waiting_thread thread = waits_since(1100, WAIT_INTERRUPTIBLE, 1500);
	struct wait_piece piece = {
		.from_ns = 1200, .to_ns = 1800, .nr_ended = 1, .has_ended = true};

	begin(NO_GENERATION);
	thread.stands_for = 3;
	charge_piece(0, 0, &task, &thread, &piece);
	EXPECT_EQ(counted[0].nr, 2);
	expect_sample(&counted[0].block.slots[0], WAIT(WAIT_INTERRUPTIBLE, WAIT_FOR_PIPE), 3, 900);
	expect_sample(&counted[0].block.slots[1], WAIT(WAIT_WOKEN, WAIT_FOR_PIPE), 0, 900);
	EXPECT_EQ(charged(0, SLOT_BLOCKED_NS), 300); /* the account has each nanosecond once */
	EXPECT_EQ(charged(0, SLOT_RUNNABLE_NS), 300);
	EXPECT_EQ(charged(0, SLOT_RUNS), 3);
	EXPECT_EQ(charged(0, SLOT_COUNTED), 3);

	/* a wait of no length is one all the same */
	thread.turn_ns = 1150;
	charge_piece(0, 0, &task, &thread, &piece);
	EXPECT_EQ(counted[0].nr, 2);
	expect_sample(&counted[0].block.slots[0], WAIT(WAIT_INTERRUPTIBLE, WAIT_FOR_PIPE), 6, 900);
	expect_sample(&counted[0].block.slots[1], WAIT(WAIT_WOKEN, WAIT_FOR_PIPE), 0, 2700);

	/* one whose stack was not walked is in the account alone */
	thread.stands_for = 0;
	charge_piece(1, 0, &task, &thread, &piece);
	EXPECT_EQ(counted[1].nr, 0);
	EXPECT_EQ(charged(1, SLOT_RUNNABLE_NS), 600);
	EXPECT_EQ(charged(1, SLOT_RUNS), 0);

	/* likewise an event that was filtered, which is an event all the same */
	thread.stands_for = STANDS_FILTERED;
	charge_piece(1, 0, &task, &thread, &piece);
	EXPECT_EQ(counted[1].nr, 0);
	EXPECT_EQ(charged(1, SLOT_RUNNABLE_NS), 1200);
	EXPECT_EQ(charged(1, SLOT_RUNS), 1);
	EXPECT_EQ(charged(1, SLOT_FILTERED), 1);
}

/* One that is open has its time in each generation, and is counted in the last one. */
static void test_open(void)
{
	struct task_struct task = {.group_leader = &task};
	struct waiting_thread thread = waits_since(1100, WAIT_PREEMPTED, 0);
	struct wait_piece piece = {.from_ns = 1100, .to_ns = 2000};

	begin(0);
	charge_piece(0, 0, &task, &thread, &piece);
	piece = (struct wait_piece){
		.from_ns = 2000, .to_ns = 2400, .nr_ended = 1, .has_ended = true};
	charge_piece(1, 0, &task, &thread, &piece);
	EXPECT_EQ(counted[0].nr, 1);
	expect_sample(&counted[0].block.slots[0], WAIT(WAIT_PREEMPTED, WAIT_FOR_NOTHING), 0, 900);
	EXPECT_EQ(counted[1].nr, 1);
	expect_sample(&counted[1].block.slots[0], WAIT(WAIT_PREEMPTED, WAIT_FOR_NOTHING), 1, 400);
	EXPECT_EQ(charged(0, SLOT_BLOCKED_NS) + charged(1, SLOT_BLOCKED_NS), 0);
}

/* The scheduler tells when a thread came into its queue, and how long it had been in others. */
static void test_queues(void)
{
	struct task_struct task = {.group_leader = &task, .sched_info = {.run_delay = 70}};
	struct waiting_thread thread = waits_since(1100, WAIT_DISK, 0);

	thread.queue_clock_ns = 1000;
	keep_clocks(&thread, &task);
	EXPECT_EQ(turned_at(&thread, &task, 0), 0); /* the thread was not woken */
	task.sched_info.last_queued = 500;
	EXPECT_EQ(turned_at(&thread, &task, 0), 0); /* it sleeps, and was moved */
	task.on_rq = 1;
	EXPECT_EQ(turned_at(&thread, &task, 0), 1500);
	task.__state = STATE_INTERRUPTIBLE; /* it still sleeps, and is in a queue */
	EXPECT_EQ(turned_at(&thread, &task, 0), 0);
	task.__state = 0;
	task.sched_info.run_delay += 200; /* it came from another queue */
	EXPECT_EQ(turned_at(&thread, &task, 0), 1300);
	task.sched_info.last_queued = 0; /* it has come to a CPU, unseen */
	EXPECT_EQ(turned_at(&thread, &task, 1900), 1700);
	task.sched_info.last_queued = 500;
	thread.queue_clock_ns = 0; /* it has come to no CPU yet */
	EXPECT_EQ(turned_at(&thread, &task, 0), 0);
}

/*
 * An estimate may be too large, or below the last one: later intervals have the less, and none is
 * below 0.
 */
static void test_estimates(void)
{
	struct waiting_thread thread = {.ran_ns = 100, .delayed_ns = 200};
	static const struct {
		__u32 generation;
		__u64 ran_ns, delayed_ns, scheduled, delayed;
	} table[] = {
		{NO_GENERATION, 150, 260, 0, 0}, /* before the first interval */
		{0, 170, 900, 20, 640},
		{1, -30ULL, 700, 0, 0}, /* clocks were read in different runs */
		{1, 190, 930, 20, 30},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		begin(NO_GENERATION);
		account_scheduler(table[i].generation, 0, &thread, table[i].ran_ns,
				  table[i].delayed_ns);
		for (__u32 j = 0; j < ABI_GENERATIONS; j++) {
			const bool is_its = table[i].generation == j;

			EXPECT_EQ(charged(j, SLOT_SCHEDULED_NS), is_its ? table[i].scheduled : 0);
			EXPECT_EQ(charged(j, SLOT_DELAYED_NS), is_its ? table[i].delayed : 0);
		}
	}
}

/*
 * The thread waits for a CPU from 1100 to 1800, and the queue was throttled for 300 ns of it, or is
 * to the end. Kernels tell the times of the thread and its queue (6.18), that of the queue (6.6),
 * or only that it is throttled (before).
 */
static void test_quotas(void)
{
	static const struct {
		bool task_says, has_clock;
		enum wait_state left;
		bool is_throttled, has_moved;
		__u64 throttled, preempted;
	} table[] = {
		{true, true, WAIT_THROTTLED, false, false, 300,
		 400}, /* then it waited for another */
		{true, true, WAIT_THROTTLED, true, false, 700, 0},
		{true, true, WAIT_THROTTLED, false, true, 700, 0},  /* unknown */
		{true, true, WAIT_PREEMPTED, false, false, 0, 700}, /* its fellows were */
		{false, true, WAIT_THROTTLED, false, false, 300, 400},
		{false, true, WAIT_THROTTLED, true, false, 700, 0},
		{false, true, WAIT_PREEMPTED, false, false, 300,
		 400}, /* in the middle of its wait */
		{false, true, WAIT_PREEMPTED, false, true, 0, 700},
		{false, false, WAIT_THROTTLED, false, false, 700, 0},
		{false, false, WAIT_PREEMPTED, true, false, 0, 700},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct rq rq = {.clock = 100000};
		struct cfs_rq queue = {.rq = &rq, .throttled_clock_self = 99990}, other = queue;
		struct task_struct task = {
			.group_leader = &task, .se = {.cfs_rq = &queue}, .prio = 120};
		struct waiting_thread thread = waits_since(1100, table[i].left, 0);
		struct wait_piece piece = {
			.from_ns = 1100, .to_ns = 1800, .nr_ended = 1, .has_ended = true};
		__u64 weights[WAIT_STATES] = {0};

		task_says_throttled = table[i].task_says;
		queue_has_clock = table[i].has_clock;
		begin(NO_GENERATION);
		begin_quota(&thread, &task);
		queue.throttled_clock_self_time += 310; /* 10 of them before it left */
		queue.throttled_clock_self = 0;
		queue.throttle_count = task.throttled = table[i].is_throttled;
		if (table[i].has_moved)
			task.se.cfs_rq = &other;
		thread.turn_ns = turned_at(&thread, &task, 0);
		charge_piece(0, 0, &task, &thread, &piece);
		for (size_t j = 0; j < counted[0].nr; j++)
			weights[WHAT_WAIT(counted[0].block.slots[j].key.what) & 15] +=
				counted[0].block.slots[j].value.weight;
		EXPECT_EQ(weights[WAIT_THROTTLED], table[i].throttled);
		EXPECT_EQ(weights[WAIT_PREEMPTED], table[i].preempted);
		EXPECT_EQ(counted[0].block.slots[0].value.count, 1);
		EXPECT_EQ(charged(0, SLOT_RUNNABLE_NS), 700);
	}
	task_says_throttled = queue_has_clock = false;
}

/* How a wait for a CPU begins: throttled only if the scheduler's fair class took the thread out. */
static void test_throttled(void)
{
	struct cfs_rq queue = {.throttle_count = 1};
	struct task_struct task = {.group_leader = &task, .se = {.cfs_rq = &queue}, .prio = 120};
	const struct waiting_thread thread = {0};

	EXPECT_EQ(wait_of(&thread, &task, false, 0), WAIT(WAIT_THROTTLED, WAIT_FOR_NOTHING));
	task.prio = 50;
	EXPECT_EQ(wait_of(&thread, &task, true, 0), WAIT(WAIT_PREEMPTED, WAIT_FOR_NOTHING));
	task_says_throttled = true;
	task.prio = 120;
	EXPECT_EQ(wait_of(&thread, &task, true, 0), WAIT(WAIT_PREEMPTED, WAIT_FOR_NOTHING));
	task.throttled = true;
	EXPECT_EQ(wait_of(&thread, &task, false, 0), WAIT(WAIT_THROTTLED, WAIT_FOR_NOTHING));
	task_says_throttled = false;
}

/* Stacks of a thread that was found asleep are those of that sleep alone. */
static void test_asleep(void)
{
	struct task_struct task = {.group_leader = &task};
	struct waiting_thread thread = waits_since(1100, WAIT_INTERRUPTIBLE, 0);
	struct wait_piece piece = {.from_ns = 1100, .to_ns = 1300};

	begin(NO_GENERATION);
	thread.asleep_user = 22;
	thread.asleep_since_ns = 1100;
	thread.kernel = 23;
	thread.kernel_since_ns = 1100;
	charge_piece(0, 0, &task, &thread, &piece);
	thread.since_ns = 1200;
	charge_piece(0, 0, &task, &thread, &piece);
	EXPECT_EQ(counted[0].nr, 2);
	EXPECT_EQ(counted[0].block.slots[0].key.user, 22);
	EXPECT_EQ(counted[0].block.slots[0].key.kernel, 23);
	EXPECT_EQ(counted[0].block.slots[1].key.user, 12);
	EXPECT_EQ(counted[0].block.slots[1].key.kernel, 13);
}

/* Any wait, in any pieces: its time is in the account once, and all of it in samples. */
static void test_sums(void)
{
	static const enum wait_state states[] = {WAIT_INTERRUPTIBLE, WAIT_DISK, WAIT_PREEMPTED,
						 WAIT_THROTTLED};
	struct task_struct task = {.group_leader = &task};
	__u64 placed, count;

	srandom(4711);
	for (int i = 0; i < 10000; i++) {
		const __u64 since_ns = 1000 + (__u64)random() % 100;
		const __u64 end_ns = since_ns + 1 + (__u64)random() % 100;
		const __u64 middle_ns = since_ns + (__u64)random() % (end_ns - since_ns);
		struct waiting_thread thread =
			waits_since(since_ns, states[i % 4], 950 + (__u64)random() % 300);
		struct wait_piece piece = {.from_ns = since_ns, .to_ns = middle_ns};

		begin(NO_GENERATION);
		if (middle_ns > since_ns)
			charge_piece(0, 0, &task, &thread, &piece);
		piece = (struct wait_piece){
			.from_ns = middle_ns, .to_ns = end_ns, .nr_ended = 1, .has_ended = true};
		charge_piece(0, 0, &task, &thread, &piece);
		placed = count = 0;
		for (size_t j = 0; j < counted[0].nr; j++) {
			placed += counted[0].block.slots[j].value.weight;
			count += counted[0].block.slots[j].value.count;
		}
		EXPECT_EQ(charged(0, SLOT_BLOCKED_NS) + charged(0, SLOT_RUNNABLE_NS),
			  end_ns - since_ns);
		EXPECT_EQ(placed, end_ns - since_ns);
		EXPECT_EQ(count, 1);
	}
}

int main(void)
{
	static const struct test tests[] = {
		{"a moment is of the generation that has begun", test_moments},
		{"whoever moves the end forward has the piece", test_pieces},
		{"a piece is split where a generation begins", test_generations},
		{"when a wait became one for a CPU", test_wakings},
		{"a wait that ended is two samples", test_samples},
		{"one that is open has its time", test_open},
		{"woken, and moved to another CPU's queue", test_queues},
		{"no interval has less than nothing", test_estimates},
		{"a quota's part of a wait for a CPU", test_quotas},
		{"who is throttled", test_throttled},
		{"stacks of who was found asleep", test_asleep},
		{"no nanosecond is missing, or told twice", test_sums},
		{0},
	};

	return run_tests("wait_charges", tests);
}
