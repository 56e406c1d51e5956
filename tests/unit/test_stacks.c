// SPDX-License-Identifier: GPL-2.0-only
/* The dictionary: equal things get equal ids, different things different ones, nothing moves. */
#include <stdio.h>
#include <string.h>

#include "expect.h"
#include "profile/interned.h"
#include "profile/profile.h"

static void test_strings(void)
{
	struct dictionary *dictionary = dictionary__new();
	char text[] = "main";
	uint32_t first = dictionary__add_string(dictionary, text);
	const char *kept = dictionary__string(dictionary, first);

	text[0] = 'p'; /* copied, not borrowed */
	EXPECT_STR(kept, "main");
	EXPECT_EQ(dictionary__add_string(dictionary, "main"), first);
	EXPECT(dictionary__add_string(dictionary, text) != first);
	EXPECT(dictionary__add_string(dictionary, "") != first);
	EXPECT_STR(dictionary__string(dictionary, dictionary__add_string(dictionary, "")), "");
	dictionary__free(dictionary);
}

static const struct frame example = {
	.function = "f",
	.module = "m",
	.path = "/m",
	.build_id = "ab",
	.address = 16,
	.offset = 4,
	.kind = FRAME_USER,
	.root = false,
};

static void test_frames_differ_by_each_field(void)
{
	struct frame variants[10];
	struct dictionary *dictionary = dictionary__new();

	for (int i = 0; i < 10; i++)
		variants[i] = example;
	variants[1].function = "g";
	variants[2].module = NULL;
	variants[3].path = NULL;
	variants[4].build_id = "ac";
	variants[5].address = 17;
	variants[6].offset = 5;
	variants[7].kind = FRAME_JIT;
	variants[8].root = true;
	variants[9].has_start = true;
	for (uint32_t i = 0; i < 10; i++)
		EXPECT_EQ(dictionary__add_frame(dictionary, &variants[i]), i);
	for (uint32_t i = 0; i < 10; i++)
		EXPECT_EQ(dictionary__add_frame(dictionary, &variants[i]), i);
	EXPECT_EQ(dictionary__nr_frames(dictionary), 10);
	EXPECT_STR(dictionary__frame(dictionary, 0)->path, "/m");
	EXPECT_STR(dictionary__frame(dictionary, 1)->function, "g");
	EXPECT(dictionary__frame(dictionary, 2)->module == NULL);
	EXPECT_EQ(dictionary__frame(dictionary, 5)->address, 17);
	EXPECT_EQ(dictionary__frame(dictionary, 8)->root, true);
	dictionary__free(dictionary);
}

static void test_names(void)
{
	static const struct {
		struct frame frame;
		const char *name;
	} rows[] = {
		{{.function = "f", .module = "m", .address = 0x12}, "f"},
		{{.module = "libc.so.6", .address = 0x1234, .offset = 9}, "libc.so.6+0x1234"},
		{{.module = "m", .address = UINT64_MAX}, "m+0xffffffffffffffff"},
		{{.module = "m", .address = 0x1234, .offset = 4, .has_start = true}, "m@0x1230"},
		{{.module = "m", .address = UINT64_MAX, .offset = UINT64_MAX, .has_start = true},
		 "m@0x0"},
		{{.address = 0x1234}, "[unknown]"},
		{{.module = "[anon]", .address = 0x1234, .kind = FRAME_JIT}, "[anon]"},
		{{.module = FRAME_REPLACED, .address = 0x1234}, "[replaced]"},
	};
	struct dictionary *dictionary = dictionary__new();
	char text[64];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint32_t id = dictionary__add_frame(dictionary, &rows[i].frame);

		EXPECT_STR(dictionary__frame_name(dictionary, id), rows[i].name);
		EXPECT_EQ(frame__name(&rows[i].frame, text, sizeof(text)), strlen(rows[i].name));
		EXPECT_STR(text, rows[i].name);
	}
	EXPECT_EQ(frame__name(&rows[1].frame, text, 5), 16); /* as snprintf */
	EXPECT_STR(text, "libc");
	EXPECT_STR(frame_kind__name(FRAME_USER), "user");
	EXPECT_STR(frame_kind__name(FRAME_KERNEL), "kernel");
	EXPECT_STR(frame_kind__name(FRAME_JIT), "jit");
	dictionary__free(dictionary);
}

/*
 * The written name of a function that is known by its start is read as such, and other names are
 * not.
 */
static void test_starts(void)
{
	static const struct {
		const char *name;
		size_t module_bytes; /* 0: it is none */
		uint64_t start;
	} rows[] = {
		{"m@0x0", 1, 0},     {"libz.so.1.2.13@0x4970", 14, 0x4970},
		{"a@0x1@0x2", 5, 2}, {"a b@0xffffffffffffffff", 3, UINT64_MAX},
		{"@0x12", 0, 0},     {"m@0x", 0, 0},
		{"m@0x12 ", 0, 0},   {"m@0x012", 0, 0},
		{"m@0x1A", 0, 0},    {"m@0x1ffffffffffffffff", 0, 0},
		{"m@0x-1", 0, 0},    {"m@12", 0, 0},
		{"m+0x12", 0, 0},    {"memcpy@plt", 0, 0},
		{"", 0, 0},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint64_t start = 0;
		size_t module_bytes = 0;
		const bool is_start = frame__parse_start(rows[i].name, &module_bytes, &start);

		EXPECT_EQ(is_start, rows[i].module_bytes > 0);
		if (!is_start)
			continue;
		EXPECT_EQ(module_bytes, rows[i].module_bytes);
		EXPECT_EQ(start, rows[i].start);
	}
}

/* Two addresses in a function without a name have one name. */
static void test_one_name(void)
{
	static const struct frame frames[] = {
		{.module = "m", .address = 0x1234, .offset = 4, .has_start = true},
		{.module = "m", .address = 0x1238, .offset = 8, .has_start = true},
		{.module = "m", .address = 0x1238, .offset = 0, .has_start = true},
		{.module = "m", .address = 0x1238},
		{.module = "n", .address = 0x1238, .offset = 8, .has_start = true},
	};
	struct dictionary *dictionary = dictionary__new();
	uint32_t names[5];

	for (uint32_t i = 0; i < 5; i++)
		names[i] = dictionary__frame_name_id(dictionary,
						     dictionary__add_frame(dictionary, &frames[i]));
	EXPECT_EQ(names[1], names[0]);
	for (uint32_t i = 2; i < 5; i++)
		for (uint32_t j = 0; j < i; j++)
			EXPECT(names[i] != names[j]);
	EXPECT(frame__says_module("libz.so.1@0x12", "libz.so.1", FRAME_USER));
	EXPECT(!frame__says_module("libz.so.1@0x12", "libz.so", FRAME_USER));
	dictionary__free(dictionary);
}

static void test_stacks(void)
{
	static const uint32_t abc[] = {0, 1, 2}, acb[] = {0, 2, 1}, ab[] = {0, 1};
	struct dictionary *dictionary = dictionary__new();
	struct frame frame = example;
	uint32_t stacks[4];
	const uint32_t *frames;
	size_t nr_frames;

	for (frame.address = 0; frame.address < 3; frame.address++)
		dictionary__add_frame(dictionary, &frame);
	stacks[0] = dictionary__add_stack(dictionary, abc, 3);
	stacks[1] = dictionary__add_stack(dictionary, acb, 3);
	stacks[2] = dictionary__add_stack(dictionary, ab, 2);
	stacks[3] = dictionary__add_stack(dictionary, NULL, 0);
	for (uint32_t i = 0; i < 4; i++)
		EXPECT_EQ(stacks[i], i);
	EXPECT_EQ(dictionary__add_stack(dictionary, abc, 3), 0);
	EXPECT_EQ(dictionary__add_stack(dictionary, NULL, 0), 3);
	EXPECT_EQ(dictionary__nr_stacks(dictionary), 4);
	frames = dictionary__stack(dictionary, 1, &nr_frames);
	EXPECT_EQ(nr_frames, 3);
	EXPECT(!memcmp(frames, acb, sizeof(acb)));
	dictionary__stack(dictionary, 3, &nr_frames);
	EXPECT_EQ(nr_frames, 0);
	dictionary__free(dictionary);
}

static void test_processes(void)
{
	struct dictionary *dictionary = dictionary__new();
	struct process process = {.pid = 42, .start_ns = 7, .exec_id = 1, .seen_ns = 99};
	struct process variants[5];

	memcpy(process.comm, "sixteen letters!", PROCESS_COMM_SIZE);
	for (int i = 0; i < 5; i++)
		variants[i] = process;
	variants[1].pid = 43;
	variants[2].start_ns = 8;
	variants[3].exec_id = 2;
	strcpy(variants[4].comm, "other");
	for (uint32_t i = 0; i < 5; i++)
		EXPECT_EQ(dictionary__add_process(dictionary, &variants[i]), i);
	process.seen_ns = 100; /* the time is no part of its identity */
	process.cgroup = 5;
	EXPECT_EQ(dictionary__add_process(dictionary, &process), 0);
	EXPECT_EQ(dictionary__nr_processes(dictionary), 5);
	EXPECT_STR(dictionary__process(dictionary, 0)->comm, "sixteen letters");
	EXPECT_EQ(dictionary__process(dictionary, 0)->seen_ns, 0);
	EXPECT_STR(dictionary__process(dictionary, 4)->comm, "other");
	dictionary__free(dictionary);
}

/* Bytes after the terminator are left from before, and make no difference. */
static void test_comm_remains(void)
{
	struct dictionary *dictionary = dictionary__new();
	struct process a = {.pid = 1, .comm = "sh\0garbage"}, b = {.pid = 1, .comm = "sh"};

	EXPECT_EQ(dictionary__add_process(dictionary, &a), dictionary__add_process(dictionary, &b));
	dictionary__free(dictionary);
}

#define MANY 20000

static void test_nothing_moves(void)
{
	struct dictionary *dictionary = dictionary__new();
	const struct frame *frame;
	const uint32_t *frames;
	const char *string;
	size_t nr_frames, empty = dictionary__memory_bytes(dictionary);
	char text[32] = "first";

	string = dictionary__string(dictionary, dictionary__add_string(dictionary, text));
	frame = dictionary__frame(dictionary, dictionary__add_frame(dictionary, &example));
	frames = dictionary__stack(
		dictionary, dictionary__add_stack(dictionary, (uint32_t[]){0, 0}, 2), &nr_frames);
	for (uint32_t i = 1; i < MANY; i++) {
		struct frame other = {.function = text, .address = i};
		const uint32_t pair[] = {i, i - 1};

		snprintf(text, sizeof(text), "function %u", i);
		if (dictionary__add_frame(dictionary, &other) != i ||
		    dictionary__add_stack(dictionary, pair, 2) != i)
			EXPECT_EQ(i, 0);
	}
	EXPECT_STR(string, "first");
	EXPECT_STR(frame->build_id, "ab");
	EXPECT_EQ(frames[0] + frames[1], 0);
	EXPECT_EQ(dictionary__nr_stacks(dictionary), MANY);
	EXPECT_EQ(dictionary__add_frame(dictionary, &example), 0);
	/* At least the frames, strings and stacks themselves; not more than ten times that. */
	EXPECT(dictionary__memory_bytes(dictionary) > empty + MANY * (sizeof(*frame) + 10 + 8));
	EXPECT(dictionary__memory_bytes(dictionary) < empty + 10 * MANY * (sizeof(*frame) + 18));
	dictionary__free(dictionary);
}

/* The last one to let go frees it (the sanitizer knows). */
static void test_references(void)
{
	struct dictionary *dictionary = dictionary__new();
	struct profile *profile = profile__new(dictionary);

	dictionary__add_string(dictionary, "kept");
	dictionary__free(dictionary);
	EXPECT(profile__dictionary(profile) == dictionary);
	EXPECT_STR(dictionary__string(dictionary, 0), "kept");
	profile__free(profile);
	profile__free(NULL);
	dictionary__free(NULL);
}

int main(void)
{
	static const struct test tests[] = {
		{"equal strings are one", test_strings},
		{"frames differ by each of their fields", test_frames_differ_by_each_field},
		{"what frames are called", test_names},
		{"functions known by their start", test_starts},
		{"one name for a function", test_one_name},
		{"stacks differ by frames, order and depth", test_stacks},
		{"processes differ by what identifies them", test_processes},
		{"remains behind a comm are not part of it", test_comm_remains},
		{"pointers stay valid while much is added", test_nothing_moves},
		{"a dictionary lives as long as its last profile", test_references},
		{0},
	};

	return run_tests("stacks", tests);
}
