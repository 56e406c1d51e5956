// SPDX-License-Identifier: GPL-2.0-only
/* Our CPU time includes that of our readers. */
#include "run/usage.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "expect.h"
#include "lines/lines.h"
#include "readers/readers.h"

#define BURNED_NS 50000000ULL

static const struct usage_sources nobody;

static void burn(void)
{
	uint64_t end_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID) + BURNED_NS;

	while (clock_ns(CLOCK_PROCESS_CPUTIME_ID) < end_ns)
		;
}

static void test_own(void)
{
	struct usage start = {0};
	struct cost cost = {0};

	usage__read(&start, &nobody);
	burn();
	usage__cost(&start, &nobody, &cost);
	EXPECT(cost.user_ns + cost.system_ns >= BURNED_NS / 2);
	EXPECT(cost.resident_bytes > 0 && cost.peak_bytes >= cost.resident_bytes);
	EXPECT(cost.elapsed_ns >= (cost.user_ns + cost.system_ns) / 2); /* of two threads at most */
	EXPECT(cost.elapsed_ns <= monotonic_ns() - start.now_ns);
}

/* A reader of debug information burns CPU time in its process. */
static int burn_on(const struct reader_task *task)
{
	(void)task;
	for (int i = 0; i < 1000; i++)
		burn();
	return 0;
}

static const struct job_row *find_job(uint32_t job)
{
	static const struct job_row row = {
		"burn", 0, {.max_memory_bytes = 1 << 20, .max_seconds = 60}, burn_on};

	return job == READ_LINES ? &row : NULL;
}

/* A reader at work on this program, which has used some CPU. */
static struct lines *start_reader(struct readers *readers)
{
	struct lines *lines = lines__new(&(struct lines_options){.readers = readers});
	const struct frame frame = {
		.kind = FRAME_USER, .module = "test", .path = "/test", .address = 0x1000};
	const uint64_t deadline_ns = monotonic_ns() + 30000000000ULL;
	struct frame found[MAX_LINE_FRAMES];
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	lines__keep(lines, frame.path, NULL, fd, -1);
	close(fd);
	EXPECT_EQ(lines__find(lines, &frame, false, found), 0);
	while (lines__reading_ns(lines) < BURNED_NS && monotonic_ns() < deadline_ns) {
		EXPECT(!lines__work(lines, 0));
		usleep(1000);
	}
	return lines;
}

/* Expects the reader's time beside our own. */
static void expect_burned(const struct usage *start, const struct usage_sources *sources)
{
	struct usage end = {0};
	struct cost cost = {0};
	uint64_t own_ns;

	usage__read(&end, sources);
	usage__cost(start, sources, &cost);
	own_ns = end.user_ns - start->user_ns + end.system_ns - start->system_ns;
	EXPECT(usage__cpu_ns(&end) - usage__cpu_ns(start) >= own_ns + BURNED_NS / 2);
	EXPECT(cost.user_ns >= end.user_ns - start->user_ns + BURNED_NS / 2);
}

/* A reader works for us: the sum is bounded, while the reader lives and when it is gone. */
static void test_reader(void)
{
	struct usage_sources sources = {0};
	struct readers *readers = NULL;
	struct usage start = {0};
	struct lines *lines;

	EXPECT_EQ(readers__start(&readers, find_job), 0);
	sources.readers = readers;
	usage__read(&start, &sources);
	sources.lines = lines = start_reader(readers);
	expect_burned(&start, &sources);
	lines__free(lines);
	sources.lines = NULL;
	expect_burned(&start, &sources);
	readers__stop(readers);
}

int main(int argc, char **argv)
{
	static const struct test tests[] = {
		{"our own CPU time", test_own},
		{"that of who reads for us", test_reader},
		{0},
	};

	(void)argc;
	(void)argv;
	return run_tests("usage", tests);
}
