// SPDX-License-Identifier: GPL-2.0-only
/*
 * The drain of a set, and its remains afterwards. The kernel is the test: slots and log are memory
 * of its own, which it fills as programs do, and deleted keys are written down.
 */
#include "capture/kernel/sets.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>

#include "capture/host/map_calls.h"
#include "capture/kernel/code_objects.h"
#include "capture/kernel/raw_stacks.h"
#include "expect.h"
#include "profile/ledger.h"
#include "topstacks/abi.h"
#include "topstacks/interpreter_abi.h"
#include "topstacks/unwind_abi.h"

#define NR_HOMES    2
#define MOST_KEYS   16
#define COUNTS_MAP  100 /* descriptors, which tell deletions apart */
#define KNOWN_MAP   101
#define PROCESS	    4711
#define STACK	    0x1234
#define OTHER_STACK 0x5678

static struct {
	uint64_t known[MOST_KEYS];
	struct sample_key counts[MOST_KEYS];
	uint32_t nr_known, nr_counts;
	uint32_t nr_missing; /* of the known map, keys that are not there, those next */
} deleted;

int bpf_map_delete_batch(int fd, const void *keys, __u32 *count,
			 const struct bpf_map_batch_opts *options)
{
	(void)options;
	if (fd == KNOWN_MAP && deleted.nr_missing) {
		deleted.nr_missing--;
		*count = 0;
		errno = ENOENT;
		return -1;
	}
	EXPECT(*count <= MOST_KEYS);
	if (fd == KNOWN_MAP) {
		memcpy(deleted.known + deleted.nr_known, keys, *count * sizeof(uint64_t));
		deleted.nr_known += *count;
	} else {
		EXPECT_EQ(fd, COUNTS_MAP);
		memcpy(deleted.counts + deleted.nr_counts, keys,
		       *count * sizeof(struct sample_key));
		deleted.nr_counts += *count;
	}
	return 0;
}

struct drained_set {
	struct set set;
	struct store_state state;
	struct code_objects *codes;
	struct ledger ledger;
	struct raw_sample samples[MOST_KEYS];
	size_t nr_samples;
};

static void take_sample(void *context, const struct raw_sample *sample)
{
	struct drained_set *fixture = context;

	EXPECT(fixture->nr_samples < MOST_KEYS);
	fixture->samples[fixture->nr_samples++] = *sample;
}

static void open_fixture(struct drained_set *fixture)
{
	*fixture = (struct drained_set){.set = SET_CLOSED};
	memset(&deleted, 0, sizeof(deleted));
	fixture->set.shape = (struct set_shape){.capacity = 64,
						.nr_homes = NR_HOMES,
						.max_depth = 16,
						.unwinds = true,
						.interprets = true};
	fixture->set.blocks = calloc(1, set_shape__array_bytes(&fixture->set.shape, SET_SLOTS));
	fixture->set.log = calloc(1, set_shape__array_bytes(&fixture->set.shape, SET_LOG));
	fixture->set.state = &fixture->state;
	fixture->state = (struct store_state){
		.nr_blocks = NR_HOMES, .nr_chunks = NR_HOMES, .slots_turn = 1, .log_turn = 1};
	fixture->set.maps[SET_COUNTS] = COUNTS_MAP;
	fixture->set.maps[SET_KNOWN] = KNOWN_MAP;
	fixture->codes = code_objects__new();
	fixture->set.tables.codes = fixture->codes;
	fixture->set.tables.raw_stacks = raw_stacks__new(fixture->codes);
	EXPECT_EQ(set__open_tables(&fixture->set), 0);
}

static void close_fixture(struct drained_set *fixture)
{
	set__close_tables(&fixture->set);
	raw_stacks__free(fixture->set.tables.raw_stacks);
	code_objects__free(fixture->codes);
	free(fixture->set.blocks);
	free(fixture->set.log);
}

static int drain(struct drained_set *fixture)
{
	const struct capture_sink sink = {.context = fixture, .on_sample = take_sample};

	fixture->nr_samples = 0;
	return set__drain(&fixture->set, &sink, &fixture->ledger, 1);
}

static struct log_chunk *chunk_of(struct drained_set *fixture, uint32_t number)
{
	return (void *)(fixture->set.log + number * set_shape__chunk_bytes(&fixture->set.shape));
}

static void tell(struct drained_set *fixture, uint32_t number, enum log_kind kind,
		 const void *record, size_t nr_bytes)
{
	struct log_chunk *chunk = chunk_of(fixture, number);

	chunk->place = (struct claimed_place){.claim = 1, .is_taken = 1};
	chunk->words[chunk->nr_words] = LOG_HEADER(kind, nr_bytes / 8);
	memcpy(&chunk->words[chunk->nr_words + 1], record, nr_bytes);
	chunk->nr_words += 1 + nr_bytes / 8;
}

static void tell_stack(struct drained_set *fixture, uint32_t number, uint64_t key,
		       uint32_t nr_frames)
{
	struct spilled_stack stack = {.key = key, .nr_frames = nr_frames, .end = UNWIND_STEP_END};

	for (uint32_t i = 0; i < nr_frames; i++)
		stack.words[i] = key + i;
	tell(fixture, number, LOG_STACK, &stack, SPILLED_STACK_BYTES((size_t)nr_frames));
}

static void tell_process(struct drained_set *fixture, uint32_t number, const char *name,
			 uint64_t now_ns)
{
	struct process_record record = {
		.instance = PROCESS, .tgid = 17, .start_ns = 3, .seen_ns = now_ns};

	strncpy(record.comm, name, sizeof(record.comm) - 1);
	tell(fixture, number, LOG_PROCESS, &record, sizeof(record));
}

static void count(struct drained_set *fixture, uint32_t block, uint32_t index, uint64_t user,
		  uint64_t nr)
{
	struct count_slot *slot = &fixture->set.blocks[block].slots[index];

	fixture->set.blocks[block].place = (struct claimed_place){.claim = 1, .is_taken = 1};
	slot->key = (struct sample_key){.process = PROCESS, .user = STACK_REF(STACK_SPILLED, user)};
	slot->is_taken = 1;
	slot->value.count += nr;
	slot->value.weight += 10 * nr;
}

/* News come from any chunk, in any order; known keys are counted on. */
static void test_drained(void)
{
	struct drained_set fixture;

	open_fixture(&fixture);
	tell_stack(&fixture, 1, STACK, 3); /* before its process, on another CPU */
	tell_process(&fixture, 1, "first", 200);
	tell_process(&fixture, 0, "before", 100);
	tell_process(&fixture, NR_HOMES, "between",
		     150); /* of other CPUs: it is called so no more */
	tell_stack(&fixture, NR_HOMES, OTHER_STACK, 16);
	chunk_of(&fixture, NR_HOMES)->place.is_taken = 1;
	fixture.state.nr_chunks = fixture.state.nr_blocks = NR_HOMES + 1;
	count(&fixture, 0, 0, STACK, 5);
	count(&fixture, NR_HOMES, 15, OTHER_STACK, 2);
	EXPECT_EQ(drain(&fixture), 0);
	EXPECT_EQ(fixture.nr_samples, 2);
	EXPECT_EQ(fixture.samples[0].count, 5);
	EXPECT_EQ(fixture.samples[0].weight, 50);
	EXPECT_STR(fixture.samples[0].process->comm, "first");
	EXPECT_EQ(fixture.samples[0].user->nr_frames, 3);
	EXPECT_EQ(fixture.samples[0].user->words[2], STACK + 2);
	EXPECT_EQ(fixture.samples[1].count, 2);
	EXPECT_EQ(fixture.samples[1].user->nr_frames, 16);
	EXPECT_EQ(fixture.ledger.processes_unnamed, 0);

	/* the log is empty, and cursors of before are not used */
	EXPECT_EQ(fixture.state.nr_chunks, NR_HOMES);
	EXPECT_EQ(fixture.state.log_turn, 2);
	for (uint32_t i = 0; i <= NR_HOMES; i++) {
		EXPECT_EQ(chunk_of(&fixture, i)->place.claim, 0);
		EXPECT_EQ(chunk_of(&fixture, i)->nr_words, 0);
	}
	EXPECT_EQ(fixture.state.slots_turn, 1);

	/* a key that is known needs no word; a process says another name */
	count(&fixture, 0, 0, STACK, 1);
	tell_process(&fixture, 0, "second", 300);
	EXPECT_EQ(drain(&fixture), 0);
	EXPECT_EQ(fixture.nr_samples, 1);
	EXPECT_EQ(fixture.samples[0].count, 1);
	EXPECT_STR(fixture.samples[0].process->comm, "second");
	EXPECT_EQ(fixture.samples[0].user->words[0], STACK);
	EXPECT_EQ(drain(&fixture), 0);
	EXPECT_EQ(fixture.nr_samples, 0);
	close_fixture(&fixture);
}

/* A sample whose stack or process found no room is one all the same. */
static void test_untold(void)
{
	struct drained_set fixture;

	open_fixture(&fixture);
	count(&fixture, 1, 4, STACK, 7);
	EXPECT_EQ(drain(&fixture), 0);
	EXPECT_EQ(fixture.nr_samples, 1);
	EXPECT(fixture.samples[0].user == NULL);
	EXPECT_EQ(fixture.ledger.missing[MISSING_UNREADABLE], 7);
	EXPECT_EQ(fixture.ledger.processes_unnamed, 7);
	close_fixture(&fixture);
}

static void test_damaged(void)
{
	static const struct {
		uint64_t nr_words, header, nr_frames;
		int code;
	} rows[] = {
		{1 + 6, LOG_HEADER(LOG_STACK, 6), 2, 0},
		{1 + 6, LOG_HEADER(LOG_STACK, 6), 3, -EPROTO},	  /* more frames than words */
		{1 + 21, LOG_HEADER(LOG_STACK, 21), 17, -EPROTO}, /* than are ever walked */
		{1 + 6, LOG_HEADER(LOG_STACK, 7), 2, -EPROTO},	  /* longer than what is there */
		{1 + 3, LOG_HEADER(LOG_STACK, 3), 0, -EPROTO},	  /* shorter than any */
		{1 + 6, LOG_HEADER(LOG_PROCESS, 6), 2, -EPROTO},
		{1 + 6, LOG_HEADER(LOG_CODE, 6), 2, -EPROTO},
		{1 + 6, LOG_HEADER(3, 6), 2, -EPROTO},
		{1 << 20, LOG_HEADER(LOG_STACK, 6), 2, -EPROTO}, /* than the chunk */
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct drained_set fixture;
		struct spilled_stack *stack;
		struct log_chunk *chunk;

		open_fixture(&fixture);
		chunk = chunk_of(&fixture, 0);
		stack = (void *)&chunk->words[1];
		chunk->nr_words = rows[i].nr_words;
		chunk->words[0] = rows[i].header;
		stack->key = STACK;
		stack->nr_frames = (uint32_t)rows[i].nr_frames;
		EXPECT_EQ(drain(&fixture), rows[i].code);
		close_fixture(&fixture);
	}
}

/* Places without an owner are told once, although they stay lost. */
static void test_lost(void)
{
	struct drained_set fixture;

	open_fixture(&fixture);
	fixture.set.blocks[0].place.claim = 2;
	chunk_of(&fixture, 1)->place.claim = 3;
	fixture.set.blocks[1].place = (struct claimed_place){.claim = 2, .is_taken = 1};
	EXPECT_EQ(drain(&fixture), 0);
	EXPECT_EQ(fixture.ledger.places_lost, 2);
	EXPECT_EQ(drain(&fixture), 0);
	EXPECT_EQ(fixture.ledger.places_lost, 2);
	EXPECT_EQ(set__empty(&fixture.set, NULL, 0, true, &(struct map_calls){0}), 0);
	set__begin(&fixture.set, &fixture.state);
	EXPECT_EQ(fixture.set.blocks[0].place.claim, 0);
	EXPECT_EQ(drain(&fixture), 0);
	EXPECT_EQ(fixture.ledger.places_lost, 2);
	fixture.set.blocks[0].place.claim = 2;
	EXPECT_EQ(drain(&fixture), 0);
	EXPECT_EQ(fixture.ledger.places_lost, 3);
	/* CPUs went past a block that is no home, and took the next one */
	fixture.state.nr_blocks = NR_HOMES + 2;
	fixture.set.blocks[NR_HOMES + 1].place = (struct claimed_place){.claim = 1, .is_taken = 1};
	EXPECT_EQ(drain(&fixture), 0);
	EXPECT_EQ(fixture.ledger.places_lost, 4);
	close_fixture(&fixture);
}

/*
 * All keys that programs made known are deleted, those of slots whose samples were drained long
 * ago, too.
 */
static void test_emptied(void)
{
	struct code_record code = {.code = WORD_INTERPRETED(LANGUAGE_PYTHON, 0, 77)};
	struct map_calls calls = {0};
	struct drained_set fixture;
	uint64_t sum = 0;

	open_fixture(&fixture);
	tell_stack(&fixture, 0, STACK, 3);
	tell_process(&fixture, 0, "first", 100);
	tell(&fixture, 1, LOG_CODE, &code, CODE_RECORD_BYTES(false));
	count(&fixture, 0, 0, STACK, 5);
	count(&fixture, 1, 7, OTHER_STACK, 1);
	fixture.set.blocks[1].place.claim = 2; /* the other CPU that came has gone on */
	EXPECT_EQ(drain(&fixture), 0);
	EXPECT_EQ(drain(&fixture), 0);
	fixture.set.nr_used[SET_COUNTS] = 2;
	deleted.nr_missing = 1;
	EXPECT_EQ(set__empty(&fixture.set, NULL, 0, true, &calls), 0);
	set__begin(&fixture.set, &fixture.state);
	EXPECT_EQ(deleted.nr_counts, 2);
	EXPECT_EQ(deleted.counts[0].user, STACK_REF(STACK_SPILLED, STACK));
	EXPECT_EQ(deleted.counts[1].user, STACK_REF(STACK_SPILLED, OTHER_STACK));
	EXPECT_EQ(deleted.nr_known, 2); /* one of three was not there */
	for (uint32_t i = 0; i < deleted.nr_known; i++)
		sum += deleted.known[i];
	EXPECT(sum == code.code + KNOWN_PROCESS(PROCESS)); /* the stack's was the first */
	EXPECT_EQ(calls.nr, 3);
	EXPECT_EQ(fixture.state.slots_turn, 2);
	EXPECT_EQ(fixture.set.nr_used[SET_COUNTS], 0);
	EXPECT_EQ(fixture.set.blocks[0].slots[0].is_taken, 0);

	/* they are told anew */
	tell_stack(&fixture, 0, STACK, 2);
	count(&fixture, 0, 0, STACK, 1);
	EXPECT_EQ(drain(&fixture), 0);
	EXPECT_EQ(fixture.nr_samples, 1);
	EXPECT_EQ(fixture.samples[0].user->nr_frames, 2);
	EXPECT_EQ(fixture.ledger.processes_unnamed, 1);
	close_fixture(&fixture);
}

/* A set of 64 stacks has room for 96 keys, 6 blocks and 6 chunks beside the homes. */
static void test_full(void)
{
	const uint64_t none[SET_KEY_MAPS] = {0};
	struct drained_set fixture;

	open_fixture(&fixture);
	EXPECT(!set__is_full(&fixture.set, none, DRAIN_AT));
	EXPECT(!set__is_full(&fixture.set, (uint64_t[SET_KEY_MAPS]){60}, DRAIN_AT));
	EXPECT(set__is_full(&fixture.set, (uint64_t[SET_KEY_MAPS]){61}, DRAIN_AT));
	fixture.set.nr_used[SET_COUNTS] = 48;
	EXPECT(!set__is_full(&fixture.set, none, EMPTY_AT));
	EXPECT(set__is_full(&fixture.set, (uint64_t[SET_KEY_MAPS]){1}, EMPTY_AT));
	fixture.set.nr_used[SET_COUNTS] = 0;
	fixture.state.nr_blocks = NR_HOMES + 3;
	EXPECT(!set__is_full(&fixture.set, none, DRAIN_AT));
	fixture.state.nr_blocks = NR_HOMES + 4;
	EXPECT(set__is_full(&fixture.set, none, DRAIN_AT));
	fixture.state.nr_blocks = NR_HOMES;
	fixture.state.nr_chunks = NR_HOMES + 3;
	EXPECT(!set__is_full(&fixture.set, none, DRAIN_AT));
	fixture.state.nr_chunks = NR_HOMES + 4;
	EXPECT(set__is_full(&fixture.set, none, DRAIN_AT));
	close_fixture(&fixture);
}

int main(void)
{
	static const struct test tests[] = {
		{"samples and what explains them are read, and only once", test_drained},
		{"a sample without its stack is one all the same", test_untold},
		{"a damaged log is an error", test_damaged},
		{"places that nobody has are told once", test_lost},
		{"all keys are deleted", test_emptied},
		{"when a set is full", test_full},
		{0},
	};

	return run_tests("sets", tests);
}
