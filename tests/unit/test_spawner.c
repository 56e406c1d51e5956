// SPDX-License-Identifier: GPL-2.0-only
/* A worker cannot be had: each missing resource is told by its own error. */
#include "base/system/spawner.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/shortage.h"
#include "expect.h"

#define NOBODY 65432 /* a user without processes */

static int do_nothing(const void *context, uint32_t kind, const struct worker *worker)
{
	(void)context;
	(void)kind;
	(void)worker;
	return 0;
}

/* The limit of processes does not bind root. */
static int take_processes(const void *context)
{
	const struct rlimit none = {0, 0};

	(void)context;
	if (setrlimit(RLIMIT_NPROC, &none) || (!geteuid() && setresuid(NOBODY, NOBODY, NOBODY)))
		return -errno;
	return 0;
}

/* context: how many descriptors it may have. */
static int take_descriptors(const void *context)
{
	const struct rlimit few = {*(const rlim_t *)context, *(const rlim_t *)context};

	return setrlimit(RLIMIT_NOFILE, &few) ? -errno : 0;
}

/* How a worker of such a spawner ends. */
static int end_of_worker(const struct spawner_plan *plan, size_t nr_files)
{
	const int files[WORKER_MAX_FILES] = {0}; /* this one, many times */
	struct worker_end end = {0};
	struct spawner *spawner;
	struct hired hired;

	EXPECT_EQ(spawner__start(&spawner, plan), 0);
	EXPECT_EQ(spawner__hire(spawner, 0, files, nr_files, "", 1, &hired), 0);
	while (!hired__has_ended(&hired, &end))
		poll(&(struct pollfd){.fd = hired.status, .events = POLLIN}, 1, 1000);
	hired__dismiss(&hired);
	spawner__stop(spawner);
	return end.code;
}

static void test_enough(void)
{
	const struct spawner_plan plan = {.name = "enough", .run = do_nothing};

	EXPECT_EQ(end_of_worker(&plan, WORKER_MAX_FILES), 0);
}

static void test_no_processes(void)
{
	const struct spawner_plan plan = {
		.name = "alone", .confine = take_processes, .run = do_nothing};

	EXPECT_EQ(end_of_worker(&plan, 1), -EUSERS);
	EXPECT(shortage__is(-EUSERS));
}

/* Whether they run out in the spawner, or when a worker puts them in their places. */
static void test_no_descriptors(void)
{
	rlim_t few;
	const struct spawner_plan plan = {
		.name = "few", .confine = take_descriptors, .run = do_nothing, .context = &few};

	for (few = 5; few < 3 + WORKER_MAX_FILES; few++)
		EXPECT_EQ(end_of_worker(&plan, 4), -EMFILE);
}

static int fail(const void *context)
{
	(void)context;
	return -ENOMEM;
}

/* The error of the confining function is told from those of other steps. */
static void test_not_confined(void)
{
	const struct spawner_plan plan = {.name = "free", .confine = fail, .run = do_nothing};
	const struct spawner_plan good = {.name = "bound", .run = do_nothing};
	struct rlimit before, none;
	struct spawner *spawner;
	bool by_confine = false;

	EXPECT_EQ(spawner__start(&spawner, &plan), 0);
	EXPECT_EQ(spawner__await(spawner, &by_confine), -ENOMEM);
	EXPECT(by_confine);
	spawner__stop(spawner);
	EXPECT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
	none = (struct rlimit){3, before.rlim_max};
	EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
	EXPECT_EQ(spawner__start(&spawner, &good), -EMFILE);
	EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
	EXPECT_EQ(spawner__start(&spawner, &good), 0);
	EXPECT_EQ(spawner__await(spawner, &by_confine), 0);
	EXPECT(!by_confine);
	spawner__stop(spawner);
}

/* The hiring process may have no descriptors left, too. */
static void test_no_channel(void)
{
	const struct spawner_plan plan = {.name = "plenty", .run = do_nothing};
	struct rlimit before, none;
	struct spawner *spawner;
	struct hired hired;

	EXPECT_EQ(spawner__start(&spawner, &plan), 0);
	EXPECT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
	none = (struct rlimit){3, before.rlim_max};
	EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
	EXPECT_EQ(spawner__hire(spawner, 0, NULL, 0, "", 1, &hired), -EMFILE);
	EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
	spawner__stop(spawner);
}

static int kill_spawner(const void *context, uint32_t kind, const struct worker *worker)
{
	(void)context;
	(void)kind;
	(void)worker;
	return kill(getppid(), SIGKILL) ? -errno : 0;
}

/*
 * A caller learns from each call after the spawner's end that it is gone, and no child is left
 * over.
 */
static void test_ended(void)
{
	const struct spawner_plan plan = {.name = "ended", .run = kill_spawner};
	struct spawner *spawner;
	struct worker_end end;
	struct hired hired;
	int code, is_there;

	EXPECT_EQ(spawner__start(&spawner, &plan), 0);
	while (!(code = spawner__hire(spawner, 0, NULL, 0, "", 1, &hired))) {
		while (!hired__has_ended(&hired, &end))
			poll(&(struct pollfd){.fd = hired.status, .events = POLLIN}, 1, 1000);
		EXPECT(end.code == -ECHILD || end.code == -EAGAIN);
		hired__dismiss(&hired);
	}
	EXPECT_EQ(code, -ECHILD);
	EXPECT(shortage__is(code));
	do { /* a process that is not reaped yet is there */
		is_there = !waitid(P_ALL, 0, &(siginfo_t){0}, WEXITED | WNOHANG | WNOWAIT);
	} while (is_there);
	EXPECT_EQ(errno, ECHILD);
	spawner__stop(spawner);
}

/* Returns the only child of this process; 0: it has none. */
static pid_t only_child(void)
{
	FILE *list = fopen("/proc/thread-self/children", "r");
	int pid = 0;

	if (list && fscanf(list, "%d", &pid) != 1)
		pid = 0;
	if (list)
		fclose(list);
	return pid;
}

/*
 * A process whose end the tracer does not look at cannot be reaped by its parent. 0: it may not be
 * traced.
 */
static pid_t hold(pid_t pid, unsigned int seconds)
{
	int ends[2];
	char byte;
	pid_t tracer;

	if (pipe(ends))
		return 0;
	tracer = fork();
	if (tracer == 0) {
		if (!ptrace(PTRACE_SEIZE, pid, NULL, NULL) && write(ends[1], "", 1) == 1)
			sleep(seconds);
		_exit(0);
	}
	close(ends[1]);
	if (read(ends[0], &byte, 1) != 1) {
		waitpid(tracer, NULL, 0);
		tracer = 0;
	}
	close(ends[0]);
	return tracer;
}

/* One that does not end although it was killed, as a file system holds it up, is left behind. */
static void test_held_up(void)
{
	const struct spawner_plan plan = {.name = "held up", .run = do_nothing};
	struct spawner *spawner;
	uint64_t begin_ns;
	pid_t pid, tracer;

	EXPECT_EQ(spawner__start(&spawner, &plan), 0);
	pid = only_child();
	tracer = pid ? hold(pid, 60) : 0;
	begin_ns = monotonic_ns();
	spawner__stop(spawner);
	if (!tracer)
		return;
	EXPECT(monotonic_ns() - begin_ns < 30000000000ULL);
	kill(tracer, SIGKILL);
	waitpid(tracer, NULL, 0);
	EXPECT_EQ(waitpid(pid, NULL, 0), pid);
}

/*
 * Says that it has begun; then kind 0 takes a byte for its farewell, and kind 1 ignores the signal.
 */
static int await_farewell(const void *context, uint32_t kind, const struct worker *worker)
{
	sigset_t farewell;
	int number;

	(void)context;
	sigemptyset(&farewell);
	sigaddset(&farewell, SIGTERM);
	sigprocmask(SIG_BLOCK, &farewell, NULL);
	if (write(worker->files[0], "b", 1) != 1)
		return -EPIPE;
	while (kind)
		pause();
	return sigwait(&farewell, &number) || write(worker->files[0], "t", 1) != 1 ? -EPIPE : 0;
}

/* Returns the words of a worker of this kind that was dismissed while it ran. */
static const char *last_words(uint32_t kind)
{
	const struct spawner_plan plan = {
		.name = "farewell", .run = await_farewell, .farewell = SIGTERM};
	static char words[3];
	struct spawner *spawner;
	struct hired hired;
	ssize_t nr_more;
	int ends[2];

	EXPECT(!pipe(ends));
	EXPECT_EQ(spawner__start(&spawner, &plan), 0);
	EXPECT_EQ(spawner__hire(spawner, kind, &ends[1], 1, "", 1, &hired), 0);
	close(ends[1]);
	memset(words, 0, sizeof(words));
	EXPECT_EQ(read(ends[0], words, 1), 1);
	hired__dismiss(&hired);
	nr_more = read(ends[0], words + 1, 1);
	if (nr_more > 0)
		EXPECT_EQ(read(ends[0], words + 2, 1), 0);
	close(ends[0]);
	spawner__stop(spawner);
	return words;
}

static void test_farewell(void)
{
	EXPECT_STR(last_words(0), "bt");
	EXPECT_STR(last_words(1), "b");
}

int main(void)
{
	static const struct test tests[] = {
		{"enough of all", test_enough},
		{"one that is held up", test_held_up},
		{"no processes", test_no_processes},
		{"no descriptors", test_no_descriptors},
		{"one that cannot be confined", test_not_confined},
		{"no descriptors for a channel", test_no_channel},
		{"one that is ended", test_ended},
		{"a farewell, and who does not hear it", test_farewell},
		{0},
	};

	return run_tests("spawner", tests);
}
