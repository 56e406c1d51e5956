// SPDX-License-Identifier: GPL-2.0-only
/* The embedded BPF object against abi.h; opening it needs no privileges. */
#include "expect.h"

#include <string.h>

#include <bpf/libbpf.h>

#include "capture/host/skeleton.h"

#define MAX_NAME 15 /* BPF_OBJ_NAME_LEN - 1: bpftool shows longer ones cut */

static struct topstacks_bpf *open_object(void)
{
	struct topstacks_bpf *skeleton;

	libbpf_set_print(NULL);
	skeleton = topstacks_bpf__open();
	EXPECT(skeleton != NULL);
	return skeleton;
}

static void expect_map(const struct bpf_map *map, unsigned int key, unsigned int value)
{
	EXPECT_EQ(bpf_map__key_size(map), key);
	EXPECT_EQ(bpf_map__value_size(map), value);
}

static void test_sizes(void)
{
	struct topstacks_bpf *skeleton = open_object();

	expect_map(skeleton->maps.ledger, 4, 40 * 8);
	expect_map(skeleton->maps.targets, 4, sizeof(struct target_entry));
	expect_map(skeleton->maps.dying, 8, sizeof(struct dying_task));
	expect_map(skeleton->maps.counts, 4, 4); /* arrays of maps hold ids */
	expect_map(skeleton->maps.stacks, 4, 4);
	expect_map(skeleton->maps.known, 4, 4);
	expect_map(skeleton->maps.slots, 4, 4);
	expect_map(skeleton->maps.logs, 4, 4);
	expect_map(skeleton->maps.cursors, 4, sizeof(struct store_cursors));
	EXPECT_EQ(bpf_map__max_entries(skeleton->maps.counts), ABI_GENERATIONS);
	topstacks_bpf__destroy(skeleton);
}

/* Keys are hashed as bytes: their structs must have no padding. */
static void test_layout(void)
{
	EXPECT_EQ(sizeof(struct sample_key), 3 * 8 + 2 * 4);
	EXPECT_EQ(sizeof(struct process_record), 5 * 8 + 6 * 4 + 16);
	EXPECT_EQ(SPILLED_STACK_BYTES(127), 32 + 127 * 8);
	EXPECT_EQ(sizeof(struct ledger_cpu) % 64, 0);
}

static void test_names(void)
{
	struct topstacks_bpf *skeleton = open_object();
	struct bpf_program *program;
	struct bpf_map *map;
	int nr_programs = 0;

	bpf_object__for_each_program(program, skeleton->obj)
	{
		EXPECT(strlen(bpf_program__name(program)) <= MAX_NAME);
		EXPECT(!strncmp(bpf_program__name(program), "on_", 3));
		nr_programs++;
	}
	bpf_object__for_each_map(map, skeleton->obj)
		EXPECT(strlen(bpf_map__name(map)) <= MAX_NAME || bpf_map__is_internal(map));
	EXPECT(nr_programs > 0);
	topstacks_bpf__destroy(skeleton);
}

static void test_references(void)
{
	uint64_t rest = (1ULL << 62) - 1;

	EXPECT_EQ(STACK_TAG(STACK_REF(STACK_ID, 4711)), STACK_ID);
	EXPECT_EQ(STACK_REST(STACK_REF(STACK_ID, 4711)), 4711);
	EXPECT_EQ(STACK_TAG(STACK_REF(STACK_SPILLED, rest)), STACK_SPILLED);
	EXPECT_EQ(STACK_REST(STACK_REF(STACK_SPILLED, rest)), rest);
	EXPECT_EQ(STACK_TAG(STACK_NONE), 0);
}

static void test_words(void)
{
	static const struct {
		uint64_t word;
		unsigned int language;
		bool is_kernel;
	} words[] = {
		{0, LANGUAGE_NONE, false},
		{0x00007fffffffffff, LANGUAGE_NONE, false},
		{0x00ffffffffffffff, LANGUAGE_NONE, false}, /* five levels of page tables */
		{0xffff800000000000, LANGUAGE_NONE, true},
		{0xff00000000000000, LANGUAGE_NONE, true},
		{0xffffffffff600000, LANGUAGE_NONE, true}, /* the vsyscall page */
		{~0ULL, LANGUAGE_NONE, true},
		{WORD_INTERPRETED(LANGUAGE_PYTHON, 0, 0), LANGUAGE_PYTHON, false},
		{WORD_INTERPRETED(LANGUAGE_V8, 0xffff, ~0ULL), LANGUAGE_V8, false},
		{WORD_INTERPRETED(14, 0xffff, ~0ULL), 14, false},
	};
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(*words); i++) {
		EXPECT_EQ(word_language(words[i].word), words[i].language);
		EXPECT_EQ(word_is_kernel(words[i].word), words[i].is_kernel);
	}
	EXPECT_EQ(WORD_INTERPRETED(LANGUAGE_RUBY, 0xabcd, 0x123), 0x9d5e680000000123);
}

/* A word of a damaged stack is taken for no interpreted code, and for no address that exists. */
static void test_damaged_words(void)
{
	EXPECT_EQ(word_of_address(0x401000), 0x401000);
	EXPECT_EQ(word_of_address(0xffffffff81000000), 0xffffffff81000000);
	EXPECT_EQ(word_of_address(0x8c00000000401000), 0x0c00000000401000);
	EXPECT_EQ(word_language(word_of_address(0xf7ffffffffffffff)), LANGUAGE_NONE);
}

int main(void)
{
	static const struct test tests[] = {
		{"map sizes are those of abi.h", test_sizes},
		{"no struct has silent padding", test_layout},
		{"names fit the kernel's fifteen characters", test_names},
		{"a stack reference keeps tag and rest apart", test_references},
		{"words tell addresses from interpreted code", test_words},
		{"a damaged address is no interpreted code", test_damaged_words},
		{0},
	};

	return run_tests("contract", tests);
}
