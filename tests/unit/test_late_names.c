// SPDX-License-Identifier: GPL-2.0-only
/*
 * Readers of symbols that are slow, that never end, crash, or tell lies, among others that behave:
 * names are late or missing for their files, and for no others.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/time_budget.h"
#include "elf/object.h"
#include "made_up.h"

#define MS	 1000000ULL
#define LARGE	 "needs_much"
#define MIB	 (1ULL << 20)
#define PATIENCE (10 * MS)

/* ---- readers, which behave by the first function of a file ---- */

/* Burns CPU time; a reader cannot sleep. */
static void burn(uint64_t time_ns)
{
	const uint64_t end_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID) + time_ns;

	while (clock_ns(CLOCK_PROCESS_CPUTIME_ID) < end_ns)
		;
}

static int answer_with(const struct reader_task *task, const void *bytes, size_t nr_bytes)
{
	return write(task->answer, bytes, nr_bytes) == (ssize_t)nr_bytes ? 0 : -EIO;
}

static int never(const struct reader_task *task)
{
	burn(UINT64_MAX / 2);
	return job__symbols(task);
}

static int slow(const struct reader_task *task)
{
	burn(100 * MS);
	return job__symbols(task);
}

static int crash(const struct reader_task *task)
{
	(void)task;
	__builtin_trap();
}

static int answer_nothing(const struct reader_task *task)
{
	(void)task;
	return 0;
}

static int answer_noise(const struct reader_task *task)
{
	char noise[4096];

	memset(noise, 0x5a, sizeof(noise));
	return answer_with(task, noise, sizeof(noise));
}

static int answer_hugely(const struct reader_task *task)
{
	return ftruncate(task->answer, 64 * MIB) ? -errno : 0;
}

/* The two ranges are at the same place. */
static int answer_twice(const struct reader_task *task)
{
	const struct {
		struct object_header header;
		struct object_segment segment;
		uint64_t base, nr_ranges, names_bytes;
		uint32_t ranges[2][4];
		char name[8];
	} answer = {
		.header = {.magic = OBJECT_MAGIC, .nr_segments = 1},
		.segment = {0, 0x10000, 0x400000, 1},
		.base = 0x401000,
		.nr_ranges = 2,
		.names_bytes = sizeof(answer.name),
		.ranges = {{0, 4096, 0, 0}, {0, 4096, 0, 0}},
		.name = "twice",
	};

	return answer_with(task, &answer, sizeof(answer));
}

/* Files that take more than most have another job. */
static int need_memory(const struct reader_task *task)
{
	(void)task;
	return -ENOMEM;
}

static const struct behaviour {
	const char *function;
	int (*run)(const struct reader_task *task);
	int told; /* 0: nothing; or the code told of the file */
} behaviours[] = {
	{"is_never_read", never, -ETIME},
	{"never_is_read", never, -ETIME},
	{"is_read_slowly", slow, 0},
	{"takes_memory", need_memory, -ENOMEM},
	{"crashes", crash, -EIO},
	{"answers_nothing", answer_nothing, -EBADMSG},
	{"answers_noise", answer_noise, -EBADMSG},
	{"answers_hugely", answer_hugely, -EFBIG},
	{"answers_twice", answer_twice, -EBADMSG},
};

#define NR_BEHAVIOURS (sizeof(behaviours) / sizeof(behaviours[0]))

/* The reader finds its file's function, as a word of it. */
static int behave(const struct reader_task *task, bool is_large)
{
	static char bytes[65536];
	const ssize_t nr = pread(task->files[0], bytes, sizeof(bytes), 0);

	for (size_t i = 0; nr > 0 && i < NR_BEHAVIOURS; i++)
		if (memmem(bytes, (size_t)nr, behaviours[i].function,
			   strlen(behaviours[i].function)))
			return behaviours[i].run(task);
	if (!is_large && nr > 0 && memmem(bytes, (size_t)nr, LARGE, strlen(LARGE)))
		return -ENOMEM;
	return job__symbols(task);
}

static int behave_small(const struct reader_task *task)
{
	return behave(task, false);
}

static int behave_large(const struct reader_task *task)
{
	return behave(task, true);
}

static const struct job_row *find_job(uint32_t job)
{
	static const struct reader_bounds bounds = {
		.max_memory_bytes = 256 * MIB, .max_answer_bytes = MIB, .max_seconds = 1};
	static const struct job_row small = {"symbols", 2, bounds, behave_small};
	static const struct job_row large = {"large symbols", 1, bounds, behave_large};

	if (job == READ_SYMBOLS)
		return &small;
	return job == READ_LARGE_SYMBOLS ? &large : NULL;
}

/* ---- told failures ---- */

static struct {
	size_t nr;
	int code;
	char path[4096];
} told;

static void note_unreadable(void *waiter, const char *path, enum reader_job job, int code)
{
	(void)waiter;
	EXPECT_EQ(job, code == -EIO || code == -EBADMSG ? READ_SYMBOLS : READ_LARGE_SYMBOLS);
	told.nr++;
	told.code = code;
	snprintf(told.path, sizeof(told.path), "%s", path);
}

static void begin_late(void)
{
	struct symbols_options options = {.on_unreadable = note_unreadable};

	memset(&told, 0, sizeof(told));
	EXPECT_EQ(readers__start(&readers, find_job), 0);
	options.readers = readers;
	symbols = symbols__new(&options);
}

/* Returns a process that runs the file whose function is called so. */
static int32_t run_program(const char *function)
{
	static int32_t pid = PID;
	struct stat status;

	if (access(scratch_path(function), F_OK))
		build(function, function);
	status = status_of(scratch_path(function));
	tell_program(++pid, monotonic_ns(), scratch_path(function),
		     offset_in(scratch_path(function)), &status);
	return pid;
}

static struct image *image_at_work(int32_t pid)
{
	const struct process process = {.pid = pid, .start_ns = 5, .seen_ns = monotonic_ns()};

	return symbols__image(symbols, &process);
}

/* Returns whether all is known of the process; frame has the name. */
static bool look(int32_t pid)
{
	return !symbols__resolve(symbols, image_at_work(pid), PLACE, false, &frame);
}

static void wait_for_another_image(int32_t pid)
{
	const uint64_t deadline_ns = monotonic_ns() + 60000 * MS;
	const uint64_t version = symbols__image_version(image_at_work(pid));

	while (symbols__image_version(image_at_work(pid)) == version &&
	       monotonic_ns() < deadline_ns) {
		usleep(1000);
		symbols__forget(symbols, 1);
	}
	EXPECT(symbols__image_version(image_at_work(pid)) != version);
}

/* ---- tests ---- */

/* A caller without a time budget gets all names. */
static void test_patient(void)
{
	begin_late();
	EXPECT(look(run_program("is_read_slowly")));
	EXPECT_STR(frame.function, "is_read_slowly");
	EXPECT_EQ(told.nr, 0);
	EXPECT(readers__cpu_ns(readers) >= 100 * MS);
	end();
}

/* The name comes later, and then the image is another one, so that its stacks are named again. */
static void test_late(void)
{
	struct time_budget budget = {.left_ns = PATIENCE};
	int32_t pid;

	begin_late();
	symbols__set_time_budget(symbols, &budget);
	pid = run_program("is_read_slowly");
	EXPECT(!look(pid));
	EXPECT_STR(frame.function, NULL);
	EXPECT_STR(frame.module, "is_read_slowly");
	EXPECT_EQ(frame.kind, FRAME_USER); /* not taken for code made at run time */
	wait_for_another_image(pid);
	EXPECT(look(pid));
	EXPECT_STR(frame.function, "is_read_slowly");
	EXPECT_EQ(told.nr, 0);
	EXPECT(symbols__reading_ns(symbols) > 0 || readers__cpu_ns(readers) > 0);
	end();
}

/* A file that takes more than most files may is read with other bounds. */
static void test_large(void)
{
	begin_late();
	EXPECT(look(run_program(LARGE)));
	EXPECT_STR(frame.function, LARGE);
	EXPECT_EQ(told.nr, 0);
	end();
}

/* A process that was turned away has another image when there is a reader again. */
static void test_turned_away(void)
{
	struct time_budget budget = {.left_ns = 0};
	int32_t pid;

	begin_late();
	symbols__set_time_budget(symbols, &budget);
	EXPECT(!look(run_program("is_never_read")));
	EXPECT(!look(run_program("never_is_read")));
	pid = run_program("others");
	EXPECT(!look(pid));
	wait_for_another_image(pid);
	symbols__set_time_budget(symbols, NULL);
	EXPECT(look(pid));
	EXPECT_STR(frame.function, "others");
	end();
}

/* One that takes all the time it gets leaves some for others. */
static void test_fair(void)
{
	struct time_budget budget = {.left_ns = 60 * MS};
	int32_t never_read, other;

	begin_late();
	never_read = run_program("is_never_read");
	other = run_program("others");
	symbols__set_time_budget(symbols, &budget);
	EXPECT(!look(never_read));
	EXPECT(!look(never_read)); /* nor is it waited for again */
	symbols__set_time_budget(symbols, NULL);
	EXPECT(look(other));
	EXPECT_STR(frame.function, "others");
	EXPECT_EQ(told.nr, 0);
	end();
}

/* The failure is told once, and the file is not read again. */
static void test_unreadable(const struct behaviour *behaviour)
{
	uint64_t cpu_ns;
	int32_t pid, other;

	begin_late();
	pid = run_program(behaviour->function);
	other = run_program("others");
	EXPECT(look(pid));
	EXPECT_STR(frame.function, NULL);
	EXPECT_STR(frame.module, behaviour->function);
	EXPECT_EQ(told.nr, 1);
	EXPECT_EQ(told.code, behaviour->told);
	EXPECT_STR(told.path, scratch_path(behaviour->function));
	EXPECT(look(other));
	EXPECT_STR(frame.function, "others");
	cpu_ns = readers__cpu_ns(readers);
	EXPECT(look(pid));
	EXPECT(look(run_program(behaviour->function)));
	EXPECT(told.nr <= 1);
	EXPECT_EQ(readers__cpu_ns(readers), cpu_ns);
	end();
}

/* The file is closed because others are open, and is not read again after that either. */
static void test_closed(void)
{
	enum { NR_OTHERS = 300 };
	int32_t pid;

	scratch_run("for i in $(seq %d); do cp others others-$i; done", NR_OTHERS);
	begin_late();
	pid = run_program("crashes");
	EXPECT(look(pid));
	for (int i = 1; i <= NR_OTHERS; i++) {
		char name[32];

		snprintf(name, sizeof(name), "others-%d", i);
		EXPECT(look(run_program(name)));
		EXPECT_STR(frame.function, "others");
	}
	EXPECT(look(pid));
	EXPECT(look(run_program("crashes")));
	EXPECT_EQ(told.nr, 1);
	end();
}

static void test_all_unreadable(void)
{
	for (size_t i = 0; i < NR_BEHAVIOURS; i++)
		if (behaviours[i].told)
			test_unreadable(&behaviours[i]);
}

int main(void)
{
	static const struct test tests[] = {
		{"time enough", test_patient},
		{"names that come later", test_late},
		{"a large file", test_large},
		{"files that no reader is left for", test_turned_away},
		{"a file that takes all the time there is", test_fair},
		{"files that cannot be read", test_all_unreadable},
		{"one that is closed meanwhile", test_closed},
		{0},
	};

	scratch_create();
	return run_tests("late_names", tests);
}
