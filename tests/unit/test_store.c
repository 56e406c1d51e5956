// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs on several CPUs, and interrupts among them, take slots and write records: no key and no
 * record is lost or damaged, and hardly any place. The programs' own code runs natively: threads
 * are CPUs, signals are interrupts, and maps are arrays of the test.
 */
#include "expect.h"

#include <linux/bpf.h>
#include <linux/types.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <bpf/bpf_helpers.h>

static void *find_element(const void *map, const void *key);
static long add_element(void *map, const void *key, const void *value);

#define NR_CPUS 8
#define NR_KEYS 10000 /* of each CPU; interrupts have some more */

static _Thread_local __u32 this_cpu;

#define bpf_map_lookup_elem(map, key)		    find_element(map, key)
#define bpf_map_update_elem(map, key, value, flags) add_element(map, key, value)
#define bpf_get_smp_processor_id()		    this_cpu
/*
 * Threads are preempted in the middle of a claim, and meanwhile others go on; programs are not, so
 * they need fewer.
 */
#define CLAIM_TRIES 1000
#define DEFINE_MAPS
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wattributes"
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wunused-function"
#include "../../kern/maps/maps.bpf.h"
#define cfg_nr_cpus  NR_CPUS
#define cfg_nr_homes NR_CPUS
#include "../../kern/maps/store.bpf.h"
#pragma GCC diagnostic pop

#define NR_BLOCKS    (NR_CPUS * NR_KEYS / SLOTS_A_BLOCK * 2)
#define NR_CHUNKS    (NR_CPUS * NR_KEYS / 3)
#define CHUNK_BYTES  LOG_CHUNK_BYTES(RECORD_WORDS)
#define INTERRUPT_NS 200000
#define REFUSED	     97	  /* a record in so many */
#define SAMPLE_NS    1000 /* less than the cost of a sample */

/* These variables stand for maps. */
static char slots_map, log_map, known_map;

static struct slot_block *blocks;
static char *chunks;
static struct store_cursors cursors_of[NR_CPUS][ABI_GENERATIONS * PROGRAM_CONTEXTS];
static __u64 buffers[NR_CPUS][PROGRAM_CONTEXTS][RECORD_WORDS];

static void *find_element(const void *map, const void *key)
{
	const __u32 number = *(const __u32 *)key;

	if (map == &slots)
		return &slots_map;
	if (map == &logs)
		return &log_map;
	if (map == &known)
		return &known_map;
	if (map == &cursors)
		return &cursors_of[this_cpu][number];
	if (map == &record_buffer)
		return buffers[this_cpu][number];
	if (map == &slots_map)
		return number < NR_BLOCKS ? &blocks[number] : NULL;
	if (map == &log_map)
		return number < NR_CHUNKS ? chunks + number * CHUNK_BYTES : NULL;
	abort();
}

static long add_element(void *map, const void *key, const void *value)
{
	(void)value;
	if (map != &known_map)
		abort();
	return *(const __u64 *)key % REFUSED ? 0 : -EEXIST; /* another CPU was faster */
}

/* The programs' work, by CPU; its interrupts are counted apart. */
static struct done {
	__u64 nr_slots, nr_records, nr_failures;
} done[NR_CPUS][2];

/* Makes a record that tells its own length and contents. */
static void make_record(__u64 *words, __u64 key, __u32 nr_words)
{
	words[0] = key;
	for (__u32 i = 1; i < nr_words; i++)
		words[i] = key * 31 + i;
}

/* A sample: a key, and a record of some length. */
static void sample(enum program_context context, __u64 key, struct done *of)
{
	const struct current_set set = {.context = context};
	const __u32 nr_words = 2 + (__u32)(key * 7 % (RECORD_WORDS - 2));
	const __u32 slot = take_slot(STORE_IN(&set), key, ~key, 3 * key, 0);

	if (slot != NO_PLACE)
		__sync_fetch_and_add(&blocks[SLOT_BLOCK(slot)].slots[SLOT_INDEX(slot)].value.count,
				     1);
	make_record(buffers[this_cpu][context], key, nr_words);
	if (!store_record(STORE_IN(&set) | STORE_KIND(LOG_STACK) | STORE_WORDS(8 * nr_words), key,
			  1))
		of->nr_records++;
	else if (key % REFUSED)
		of->nr_failures++;
	of->nr_failures += slot == NO_PLACE;
	of->nr_slots += slot != NO_PLACE;
}

/* Comes in the midst of a sample, as an NMI does: of another context, or of the same one. */
static void interrupt(int number)
{
	static __thread __u64 nr;
	const enum program_context context = nr & 1 ? CONTEXT_SWITCH : CONTEXT_PERF_EVENT;
	__u64 saved[RECORD_WORDS];

	(void)number;
	memcpy(saved, buffers[this_cpu][context], sizeof(saved));
	sample(context, (1ULL << 40) + ((__u64)this_cpu << 32) + ++nr, &done[this_cpu][1]);
	memcpy(buffers[this_cpu][context], saved, sizeof(saved));
}

static timer_t begin_interrupts(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGUSR1};
	const struct itimerspec every = {{0, INTERRUPT_NS}, {0, INTERRUPT_NS}};
	timer_t timer;

	event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
	EXPECT_EQ(timer_create(CLOCK_MONOTONIC, &event, &timer), 0);
	EXPECT_EQ(timer_settime(timer, 0, &every, NULL), 0);
	return timer;
}

static __u64 now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (__u64)now.tv_sec * 1000000000 + (__u64)now.tv_nsec;
}

static void *run_cpu(void *number)
{
	timer_t timer;

	this_cpu = *(__u32 *)number;
	timer = begin_interrupts();
	for (__u64 i = 1; i <= NR_KEYS; i++) {
		const __u64 begin_ns = now_ns();

		sample(CONTEXT_PERF_EVENT, ((__u64)this_cpu << 32) + i, &done[this_cpu][0]);
		while (now_ns() < begin_ns + SAMPLE_NS)
			;
	}
	timer_delete(timer);
	return NULL;
}

static void run_all(void)
{
	pthread_t threads[NR_CPUS];
	__u32 numbers[NR_CPUS];

	for (__u32 i = 0; i < NR_CPUS; i++) {
		numbers[i] = i;
		EXPECT_EQ(pthread_create(&threads[i], NULL, run_cpu, &numbers[i]), 0);
	}
	for (__u32 i = 0; i < NR_CPUS; i++)
		pthread_join(threads[i], NULL);
}

static void expect_slots(__u64 nr_taken)
{
	__u64 nr = 0, nr_claimed = 0, nr_lost = 0;

	for (__u32 i = 0; i < NR_BLOCKS; i++) {
		nr_claimed += blocks[i].place.claim != 0;
		nr_lost += blocks[i].place.claim && !blocks[i].place.is_taken;
		EXPECT(!blocks[i].place.claim || i < session.stores[0].nr_blocks);
		for (__u32 j = 0; j < SLOTS_A_BLOCK; j++) {
			const struct count_slot *slot = &blocks[i].slots[j];

			if (!slot->is_taken)
				continue;
			nr++;
			EXPECT_EQ(slot->value.count, 1); /* only its own */
			EXPECT(slot->key.user == ~slot->key.process &&
			       slot->key.kernel == 3 * slot->key.process);
		}
	}
	EXPECT_EQ(nr, nr_taken);
	EXPECT(1000 * nr_lost < nr_claimed);
}

static void expect_log(__u64 nr_written)
{
	static __u64 expected[RECORD_WORDS];
	__u64 nr = 0, nr_claimed = 0, nr_lost = 0;

	for (__u32 i = 0; i < NR_CHUNKS; i++) {
		const struct log_chunk *chunk = (const void *)(chunks + i * CHUNK_BYTES);

		nr_claimed += chunk->place.claim != 0;
		nr_lost += chunk->place.claim && !chunk->place.is_taken;
		EXPECT(!chunk->place.claim || i < session.stores[0].nr_chunks);
		for (__u64 at = 0; at < chunk->nr_words; at += 1 + LOG_WORDS(chunk->words[at])) {
			const __u32 nr_words = LOG_WORDS(chunk->words[at]);

			EXPECT_EQ(LOG_KIND(chunk->words[at]), LOG_STACK);
			if (!nr_words || nr_words > RECORD_WORDS) {
				EXPECT(!"a record of no length");
				return;
			}
			EXPECT(chunk->words[at + 1] % REFUSED); /* else another CPU tells it */
			make_record(expected, chunk->words[at + 1], nr_words);
			EXPECT(!memcmp(expected, &chunk->words[at + 1], 8 * nr_words));
			nr++;
		}
	}
	EXPECT_EQ(nr, nr_written);
	EXPECT(1000 * nr_lost < nr_claimed);
}

/* Memory of maps is there; a fault in the middle of a claim would take longer than a sample. */
static void *allocate(size_t nr_bytes)
{
	void *memory = malloc(nr_bytes);

	memset(memory, 1, nr_bytes);
	memset(memory, 0, nr_bytes);
	return memory;
}

static void test_store(void)
{
	struct sigaction action = {.sa_handler = interrupt, .sa_flags = SA_RESTART};
	struct done sum = {0}, interrupts = {0};

	blocks = allocate(NR_BLOCKS * sizeof(*blocks));
	chunks = allocate(NR_CHUNKS * CHUNK_BYTES);
	session.stores[0] = (struct store_state){
		.nr_blocks = NR_CPUS, .nr_chunks = NR_CPUS, .slots_turn = 1, .log_turn = 1};
	sigaction(SIGUSR1, &action, NULL);
	run_all();
	for (__u32 i = 0; i < NR_CPUS; i++) {
		sum.nr_slots += done[i][0].nr_slots + done[i][1].nr_slots;
		sum.nr_records += done[i][0].nr_records + done[i][1].nr_records;
		sum.nr_failures += done[i][0].nr_failures + done[i][1].nr_failures;
		interrupts.nr_slots += done[i][1].nr_slots;
	}
	EXPECT_EQ(sum.nr_failures, 0);
	EXPECT_EQ(sum.nr_slots - interrupts.nr_slots, NR_CPUS * NR_KEYS);
	EXPECT(interrupts.nr_slots > 0);
	expect_slots(sum.nr_slots);
	expect_log(sum.nr_records);
	free(blocks);
	free(chunks);
}

/* Threads that do nothing but take places: no place is two threads'. */
#define STORM_PLACES 100000

static struct claimed_place *storm;
static __u32 storm_taken;
static __u32 owners[STORM_PLACES];

static void *take_places(void *unused)
{
	__u32 number;

	(void)unused;
	while ((number = *(volatile __u32 *)&storm_taken) < STORM_PLACES) {
		if (claim(&storm[number]))
			__sync_fetch_and_add(&owners[number], 1);
		__sync_fetch_and_add(&storm_taken, 1);
	}
	return NULL;
}

static void test_storm(void)
{
	pthread_t threads[NR_CPUS];
	__u64 nr_taken = 0;

	storm = calloc(STORM_PLACES, sizeof(*storm));
	for (__u32 i = 0; i < NR_CPUS; i++)
		EXPECT_EQ(pthread_create(&threads[i], NULL, take_places, NULL), 0);
	for (__u32 i = 0; i < NR_CPUS; i++)
		pthread_join(threads[i], NULL);
	for (__u32 i = 0; i < STORM_PLACES; i++) {
		EXPECT(owners[i] <= 1);
		EXPECT_EQ(owners[i], storm[i].is_taken);
		nr_taken += owners[i];
	}
	EXPECT(nr_taken > 0);
	free(storm);
}

int main(void)
{
	static const struct test tests[] = {
		{"no key, no record is lost or damaged", test_store},
		{"a place has one owner at most", test_storm},
		{0},
	};

	return run_tests("store", tests);
}
