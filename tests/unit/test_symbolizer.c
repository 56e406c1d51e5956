// SPDX-License-Identifier: GPL-2.0-only
/* A stack has facts beside its names: whole, cut, unverified, idle. */
#include "run/symbolizer.h"

#include <dlfcn.h>
#include <zlib.h>

#include "base/time_budget.h"
#include "expect.h"
#include "profile/profile.h"
#include "raw_samples.h"
#include "readers/readers.h"
#include "scratch.h"
#include "topstacks/abi.h"
#include "topstacks/waits.h"

#define MAX_DEPTH 4

static const char *const kernel_names[] = {"do_idle+0x8/0x10",
					   "asm_sysvec_apic_timer_interrupt+0x8/0x10",
					   "vfs_read+0x8/0x10",
					   "start_secondary+0x8/0x10",
					   "bpf_prog_0123456789abcdef_on_sched+0x8/0x10",
					   "bpf_trace_run4+0x8/0x10",
					   "__schedule+0x8/0x10",
					   "schedule+0x8/0x10",
					   "futex_wait_queue+0x8/0x10"};
#define DO_IDLE	    (KERNEL_BASE + 0x008)
#define INTERRUPT   (KERNEL_BASE + 0x108)
#define VFS_READ    (KERNEL_BASE + 0x208)
#define BPF_PROG    (KERNEL_BASE + 0x408)
#define BPF_TRACE   (KERNEL_BASE + 0x508)
#define DO_SCHEDULE (KERNEL_BASE + 0x608)
#define SCHEDULE    (KERNEL_BASE + 0x708)
#define FUTEX_WAIT  (KERNEL_BASE + 0x808)

struct symbolizer_fixture {
	struct readers *readers;
	struct symbols *symbols;
	struct dictionary *dictionary;
	struct symbolizer *symbolizer;
	struct process process;
};

static struct symbolizer_fixture open_fixture(void)
{
	struct symbolizer_fixture fixture = {.dictionary = dictionary__new(),
					     .process = own_process()};

	EXPECT_EQ(readers__start(&fixture.readers, jobs__find), 0);
	fixture.symbols = symbols_with_kernel(kernel_names, fixture.readers);
	fixture.symbolizer = symbolizer__new(fixture.symbols, fixture.dictionary, MAX_DEPTH);
	return fixture;
}

static void close_fixture(struct symbolizer_fixture *fixture)
{
	symbolizer__free(fixture->symbolizer);
	dictionary__free(fixture->dictionary);
	symbols__free(fixture->symbols);
	readers__stop(fixture->readers);
}

__attribute__((noinline)) static int leaf(int number)
{
	return number + 1;
}

static uint64_t address_of_leaf(void)
{
	return (uint64_t)(uintptr_t)leaf + 2;
}

/* A sample with these stacks, which are freed; NULL: none. wait: as WAIT() has it. */
static struct symbolized_stack name_wait(struct symbolizer_fixture *fixture, uint32_t wait,
					 struct raw_stack *user, struct raw_stack *kernel)
{
	const struct raw_sample raw = {.process = &fixture->process,
				       .user = user,
				       .kernel = kernel,
				       .missing = -1,
				       .wait = wait,
				       .count = 1};
	struct symbolized_stack named;

	symbolizer__name(fixture->symbolizer, &raw, &named);
	free(user);
	free(kernel);
	return named;
}

static struct symbolized_stack name(struct symbolizer_fixture *fixture, struct raw_stack *user,
				    struct raw_stack *kernel)
{
	return name_wait(fixture, 0, user, kernel);
}

static struct raw_stack *user_stack(uint64_t id, enum stack_end end, size_t nr_frames)
{
	uint64_t words[MAX_WORDS] = {0};

	for (size_t i = 0; i < nr_frames; i++)
		words[i] = address_of_leaf();
	return make_stack(id, end, words);
}

static const char *frame_name(const struct symbolizer_fixture *fixture,
			      const struct symbolized_stack *named, size_t index)
{
	size_t nr_frames;
	const uint32_t *frames = dictionary__stack(fixture->dictionary, named->stack, &nr_frames);

	return index < nr_frames ? dictionary__frame_name(fixture->dictionary, frames[index])
				 : "nothing";
}

static void test_whole(void)
{
	struct symbolizer_fixture fixture = open_fixture();
	struct symbolized_stack named = name(&fixture, user_stack(1, END_WHOLE, 2), NULL);

	EXPECT_EQ(named.quality, STACK_WHOLE);
	EXPECT(!named.is_idle && !named.is_unmapped);
	EXPECT_STR(frame_name(&fixture, &named, 0), "leaf");
	EXPECT_STR(frame_name(&fixture, &named, 2), "nothing");
	close_fixture(&fixture);
}

static void test_unverified(void)
{
	struct symbolizer_fixture fixture = open_fixture();

	EXPECT_EQ(name(&fixture, user_stack(1, END_OPEN, 2), NULL).quality, STACK_UNVERIFIED);
	EXPECT_EQ(name(&fixture, user_stack(2, END_EARLY, 2), NULL).quality, STACK_EARLY);
	close_fixture(&fixture);
}

static void test_cut(void)
{
	struct symbolizer_fixture fixture = open_fixture();
	struct symbolized_stack named =
		name(&fixture, user_stack(1, (enum stack_end)(END_CUT + CUT_NO_RULE), 2), NULL);

	EXPECT_EQ(named.quality, STACK_TRUNCATED);
	EXPECT_EQ(named.cut, CUT_NO_RULE);
	/* as many frames as there may be, and no word of an end */
	named = name(&fixture, user_stack(2, END_OPEN, MAX_DEPTH), NULL);
	EXPECT_EQ(named.quality, STACK_TRUNCATED);
	EXPECT_EQ(named.cut, CUT_DEPTH);
	close_fixture(&fixture);
}

/* The worse of both sides is the stack's. */
static void test_both_sides(void)
{
	struct symbolizer_fixture fixture = open_fixture();
	const uint64_t words[] = {VFS_READ, 0};
	struct symbolized_stack named =
		name(&fixture, user_stack(1, END_OPEN, 1), make_stack(2, END_WHOLE, words));

	EXPECT_EQ(named.quality, STACK_UNVERIFIED);
	EXPECT_STR(frame_name(&fixture, &named, 0), "vfs_read");
	EXPECT_STR(frame_name(&fixture, &named, 1), "leaf");
	close_fixture(&fixture);
}

static void test_unmapped(void)
{
	struct symbolizer_fixture fixture = open_fixture();
	const uint64_t words[] = {address_of_leaf(), 0x10, address_of_leaf(), 0};
	struct symbolized_stack named = name(&fixture, make_stack(1, END_OPEN, words), NULL);

	EXPECT(named.is_unmapped);
	EXPECT_STR(frame_name(&fixture, &named, 1), "nothing");
	close_fixture(&fixture);
}

/* No file is waited for, and no other samples are said to lack names. */
static void test_unread(void)
{
	struct symbolizer_fixture fixture = open_fixture();
	struct time_budget budget = {0};
	const uint64_t words[] = {VFS_READ, 0};

	symbols__set_time_budget(fixture.symbols, &budget);
	EXPECT(name(&fixture, user_stack(1, END_WHOLE, 2), NULL).unread);
	EXPECT(!name(&fixture, NULL, make_stack(2, END_WHOLE, words)).unread);
	fixture.process.pid = getppid(); /* nor is a process that was not read yet */
	fixture.process.instance++;
	EXPECT_EQ(name(&fixture, user_stack(1, END_WHOLE, 2), NULL).unread, -ETIME);
	symbols__set_time_budget(fixture.symbols, NULL);
	close_fixture(&fixture);
	fixture = open_fixture();
	EXPECT(!name(&fixture, user_stack(1, END_WHOLE, 2), NULL).unread);
	close_fixture(&fixture);
}

/* An interpreted frame is no address outside of all mappings, and is not looked up as one. */
static void test_interpreted(void)
{
	struct symbolizer_fixture fixture = open_fixture();
	const uint64_t words[] = {address_of_leaf(), WORD_INTERPRETED(LANGUAGE_PYTHON, 7, 0x1234),
				  address_of_leaf(), 0};
	struct symbolized_stack named = name(&fixture, make_stack(1, END_WHOLE, words), NULL);
	size_t nr_frames;
	const uint32_t *frames = dictionary__stack(fixture.dictionary, named.stack, &nr_frames);

	EXPECT_EQ(nr_frames, 3);
	EXPECT_EQ(dictionary__frame(fixture.dictionary, frames[1])->kind, FRAME_INTERPRETED);
	EXPECT_STR(frame_name(&fixture, &named, 1), "[python]");
	EXPECT_STR(frame_name(&fixture, &named, 2), "leaf");
	EXPECT(!named.is_unmapped);
	EXPECT_EQ(named.quality, STACK_WHOLE);
	close_fixture(&fixture);
}

static void test_idle(void)
{
	struct symbolizer_fixture fixture = open_fixture();
	const uint64_t idles[] = {DO_IDLE, 0}, works[] = {VFS_READ, INTERRUPT, DO_IDLE, 0};

	fixture.process = (struct process){.comm = "swapper"};
	EXPECT(name(&fixture, NULL, make_stack(1, END_WHOLE, idles)).is_idle);
	EXPECT(!name(&fixture, NULL, make_stack(2, END_WHOLE, works)).is_idle);
	/* another process at the same function is not idle */
	fixture.process = own_process();
	EXPECT(!name(&fixture, NULL, make_stack(1, END_WHOLE, idles)).is_idle);
	close_fixture(&fixture);
}

/*
 * A wait begins with its cause: the frames of leaving the CPU, and those of our program, are the
 * same for all.
 */
static void test_leaving(void)
{
	static const uint64_t words[] = {BPF_PROG, BPF_TRACE, DO_SCHEDULE, SCHEDULE, FUTEX_WAIT,
					 VFS_READ, 0};
	static const uint64_t deep[] = {FUTEX_WAIT, SCHEDULE, VFS_READ, 0};
	const uint32_t wait = WAIT(WAIT_INTERRUPTIBLE, WAIT_FOR_LOCK);
	struct symbolizer_fixture fixture = open_fixture();
	struct symbolized_stack named;

	named = name_wait(&fixture, wait, user_stack(1, END_WHOLE, 1),
			  make_stack(2, END_WHOLE, words));
	EXPECT_STR(frame_name(&fixture, &named, 0), "futex_wait_queue");
	EXPECT_STR(frame_name(&fixture, &named, 1), "vfs_read");
	EXPECT_STR(frame_name(&fixture, &named, 2), "leaf");
	EXPECT_STR(frame_name(&fixture, &named, 3), "nothing");
	EXPECT_EQ(named.quality, STACK_WHOLE);
	/* a thread that was found asleep has no frames of our programs */
	named = name_wait(&fixture, wait, NULL, make_stack(3, END_WHOLE, words + 2));
	EXPECT_STR(frame_name(&fixture, &named, 0), "futex_wait_queue");
	/* the last frame that leaves counts */
	named = name_wait(&fixture, wait, NULL, make_stack(4, END_WHOLE, deep));
	EXPECT_STR(frame_name(&fixture, &named, 0), "vfs_read");
	close_fixture(&fixture);
}

/*
 * A thread that is sampled there ran, and the scheduler's CPU time is its own: of the same stack,
 * too.
 */
static void test_not_leaving(void)
{
	static const uint64_t words[] = {DO_SCHEDULE, SCHEDULE, FUTEX_WAIT, 0};
	struct symbolizer_fixture fixture = open_fixture();
	struct symbolized_stack named;

	for (int i = 0; i < 2; i++) {
		named = name(&fixture, NULL, make_stack(1, END_WHOLE, words));
		EXPECT_STR(frame_name(&fixture, &named, 0), "__schedule");
		EXPECT_STR(frame_name(&fixture, &named, 2), "futex_wait_queue");
		named = name_wait(&fixture, WAIT(WAIT_PREEMPTED, WAIT_FOR_NOTHING), NULL,
				  make_stack(1, END_WHOLE, words));
		EXPECT_STR(frame_name(&fixture, &named, 0), "futex_wait_queue");
	}
	close_fixture(&fixture);
}

/* There is nothing else to show. */
static void test_only_leaving(void)
{
	static const uint64_t words[] = {BPF_PROG, BPF_TRACE, DO_SCHEDULE, SCHEDULE, 0};
	struct symbolizer_fixture fixture = open_fixture();
	struct symbolized_stack named =
		name_wait(&fixture, WAIT(WAIT_UNINTERRUPTIBLE, WAIT_FOR_OTHER), NULL,
			  make_stack(1, END_WHOLE, words));

	EXPECT_STR(frame_name(&fixture, &named, 1), "bpf_trace_run4");
	EXPECT_STR(frame_name(&fixture, &named, 3), "schedule");
	close_fixture(&fixture);
}

static uint64_t address_in(void *library, const char *function)
{
	return (uint64_t)(uintptr_t)dlsym(library, function) + 2;
}

/* Opens a library that has the name of ours. */
static void *open_library(void)
{
	Dl_info info;

	EXPECT(dladdr((void *)(uintptr_t)zlibVersion, &info));
	scratch_run("cp -L '%s' libtopstacks-alloc.so", info.dli_fname);
	return dlopen(scratch_path("libtopstacks-alloc.so"), RTLD_NOW);
}

/* A stack keeps the program's call into our library, and not the frames that took the sample. */
static void test_own_frames(void)
{
	void *library = open_library();
	const uint64_t inner = address_in(library, "deflate");
	const uint64_t outer = address_in(library, "inflate");
	const uint64_t words[] = {inner, inner, outer, address_of_leaf(), 0};
	const uint64_t inside[] = {address_of_leaf(), inner, outer, 0};
	const uint64_t nothing_else[] = {inner, outer, 0};
	struct symbolizer_fixture fixture = open_fixture();
	struct symbolized_stack named = name(&fixture, make_stack(1, END_WHOLE, words), NULL);

	EXPECT_STR(frame_name(&fixture, &named, 0), "inflate");
	EXPECT_STR(frame_name(&fixture, &named, 1), "leaf");
	EXPECT_STR(frame_name(&fixture, &named, 2), "nothing");
	/* only where our library runs */
	named = name(&fixture, make_stack(2, END_WHOLE, inside), NULL);
	EXPECT_STR(frame_name(&fixture, &named, 0), "leaf");
	EXPECT_STR(frame_name(&fixture, &named, 1), "deflate");
	named = name(&fixture, make_stack(3, END_WHOLE, nothing_else), NULL);
	EXPECT_STR(frame_name(&fixture, &named, 0), "inflate");
	EXPECT_STR(frame_name(&fixture, &named, 1), "nothing");
	close_fixture(&fixture);
	dlclose(library);
}

static void test_no_stack(void)
{
	struct symbolizer_fixture fixture = open_fixture();
	struct raw_sample raw = {.process = &fixture.process, .missing = MISSING_SPILL_FULL};
	struct symbolized_stack named;

	symbolizer__name(fixture.symbolizer, &raw, &named);
	EXPECT_STR(frame_name(&fixture, &named, 0), "[missing]");
	raw.missing = -1;
	symbolizer__name(fixture.symbolizer, &raw, &named);
	EXPECT_STR(frame_name(&fixture, &named, 0), "[in user space]");
	fixture.process.kernel_thread = true;
	symbolizer__name(fixture.symbolizer, &raw, &named);
	EXPECT_STR(frame_name(&fixture, &named, 0), "[in the kernel]");
	close_fixture(&fixture);
}

int main(int argc, char **argv)
{
	static const struct test tests[] = {
		{"a stack that ends at a root is whole", test_whole},
		{"one that ends elsewhere is unverified", test_unverified},
		{"one that was cut says why", test_cut},
		{"of both sides the worse one counts", test_both_sides},
		{"a walk ends where no code is", test_unmapped},
		{"a file that was not read in time", test_unread},
		{"interpreted code is named by its language", test_interpreted},
		{"the idle task is idle, but not in an interrupt", test_idle},
		{"what stands for frames that are not there", test_no_stack},
		{"waits begin with what wanted them", test_leaving},
		{"samples of who ran do not", test_not_leaving},
		{"nor stacks of nothing else", test_only_leaving},
		{"of our own library one frame is left", test_own_frames},
		{0},
	};

	(void)argc;
	(void)argv;
	scratch_create();
	return run_tests("symbolizer", tests);
}
