// SPDX-License-Identifier: GPL-2.0-only
/*
 * A stack whose frames are dropped keeps a leaf, with the right address. The rest is in
 * tests/e2e/drop.sh.
 */
#include "profile/select/drop.h"

#include "expect.h"

static uint32_t frame(struct dictionary *dictionary, const struct frame *frame)
{
	struct frame made = *frame;

	made.module = made.kind == FRAME_KERNEL ? "[kernel]" : "m";
	return dictionary__add_frame(dictionary, &made);
}

/* Returns the remaining stack of one sample, in a recording that is the caller's to fini. */
static const uint32_t *left_of(struct recording *recording, const struct frame *stack,
			       size_t nr_frames, const char *pattern, size_t *nr)
{
	struct dropped dropped = {0};
	struct error err = {0};
	struct sample sample = {.values = {1, 1}};
	uint32_t frames[8];
	struct dictionary *dictionary;

	recording__init(recording);
	dictionary = profile__dictionary(recording->profile);
	for (size_t i = 0; i < nr_frames; i++)
		frames[i] = frame(dictionary, &stack[i]);
	sample.process = dictionary__add_process(dictionary, &(struct process){.pid = 1});
	sample.stack = dictionary__add_stack(dictionary, frames, nr_frames);
	profile__add(recording->profile, &sample);
	EXPECT_EQ(recording__drop(recording, pattern, &dropped, &err), 0);
	return dictionary__stack(dictionary, profile__samples(recording->profile, nr)->stack, nr);
}

struct left {
	const char *function;
	uint64_t address, offset;
	bool inlined;
};

static void expect_left(const struct frame *stack, size_t nr_frames, const char *pattern,
			const struct left *left, size_t nr_left)
{
	struct recording recording;
	size_t nr;
	const uint32_t *frames = left_of(&recording, stack, nr_frames, pattern, &nr);

	EXPECT_EQ(nr, nr_left);
	for (size_t i = 0; i < nr && i < nr_left; i++) {
		const struct frame *found =
			dictionary__frame(profile__dictionary(recording.profile), frames[i]);

		EXPECT_STR(found->function, left[i].function);
		EXPECT_EQ(found->address, left[i].address);
		EXPECT_EQ(found->offset, left[i].offset);
		EXPECT_EQ(found->inlined, left[i].inlined);
	}
	recording__fini(&recording);
}

#define EXPECT_LEFT(stack, pattern, left)                                     \
	expect_left(stack, sizeof(stack) / sizeof((stack)[0]), pattern, left, \
		    sizeof(left) / sizeof((left)[0]))

/* The call of hot returns to 0x58, and 0x57 is within the call; main has called all the same. */
static void test_caller_at_the_leaf(void)
{
	const struct frame stack[] = {
		{.function = "hot", .address = 0x20, .offset = 4},
		{.function = "loop", .address = 0x58, .offset = 8},
		{.function = "main", .address = 0x90, .offset = 16, .root = true},
	};
	const struct left without_hot[] = {{"loop", 0x57, 7, false}, {"main", 0x90, 16, false}};
	const struct left without_loop[] = {{"hot", 0x20, 4, false}, {"main", 0x90, 16, false}};
	const struct left only_main[] = {{"main", 0x8f, 15, false}};

	EXPECT_LEFT(stack, "^hot$", without_hot);
	EXPECT_LEFT(stack, "^loop$", without_loop);
	EXPECT_LEFT(stack, "^(hot|loop)$", only_main);
}

/* Inlined frames share the address of their function: all of them have called there. */
static void test_inlined_caller(void)
{
	const struct frame stack[] = {
		{.function = "hot", .address = 0x20},
		{.function = "step", .address = 0x58, .inlined = true},
		{.function = "loop", .address = 0x58},
	};
	const struct left without_hot[] = {{"step", 0x57, 0, true}, {"loop", 0x57, 0, false}};
	const struct left without_step[] = {{"loop", 0x57, 0, false}};
	const struct left without_loop[] = {{"step", 0x57, 0, false}};

	EXPECT_LEFT(stack, "^hot$", without_hot);
	EXPECT_LEFT(stack, "^(hot|step)$", without_step);
	EXPECT_LEFT(stack, "^(hot|loop)$", without_loop);
}

/* Code that is inlined into the leaf runs at the leaf's address. */
static void test_inlined_leaf(void)
{
	const struct frame stack[] = {
		{.function = "step", .address = 0x58, .inlined = true},
		{.function = "loop", .address = 0x58},
	};
	const struct left without_step[] = {{"loop", 0x58, 0, false}};

	EXPECT_LEFT(stack, "^step$", without_step);
}

/*
 * The function that entered the kernel has not called, but its caller has, also where it becomes
 * the program's first one.
 */
static void test_below_the_kernel(void)
{
	const struct frame stack[] = {
		{.function = "vfs_read", .address = 0xffff0000, .kind = FRAME_KERNEL},
		{.function = "read", .address = 0x40},
		{.function = "load", .address = 0x70},
	};
	const struct left without_kernel[] = {{"read", 0x40, 0, false}, {"load", 0x70, 0, false}};
	const struct left without_read[] = {{"vfs_read", 0xffff0000, 0, false},
					    {"load", 0x6f, 0, false}};

	EXPECT_LEFT(stack, "^vfs_read$", without_kernel);
	EXPECT_LEFT(stack, "^read$", without_read);
}

/* A word of an interpreter is no address, and folded text has none. */
static void test_no_address(void)
{
	const struct frame stack[] = {
		{.function = "hot", .address = 0x20},
		{.function = "script", .address = 0x58, .kind = FRAME_INTERPRETED},
		{.function = "main"},
	};
	const struct left without_hot[] = {{"script", 0x58, 0, false}, {"main", 0, 0, false}};
	const struct left only_main[] = {{"main", 0, 0, false}};

	EXPECT_LEFT(stack, "^hot$", without_hot);
	EXPECT_LEFT(stack, "^(hot|script)$", only_main);
}

int main(void)
{
	static const struct test tests[] = {
		{"a caller that becomes the leaf is at its call", test_caller_at_the_leaf},
		{"so is what is inlined into it", test_inlined_caller},
		{"what runs stays where it is", test_inlined_leaf},
		{"below the kernel", test_below_the_kernel},
		{"what has no address", test_no_address},
		{0},
	};

	return run_tests("drop", tests);
}
