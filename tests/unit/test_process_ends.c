// SPDX-License-Identifier: GPL-2.0-only
/* Ends of real processes: children of the test, with and without threads. */
#include "expect.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capture/tasks/internal.h"

static void *wait_for_end(void *pipe)
{
	char byte;

	(void)!read(*(int *)pipe, &byte, 1);
	_exit(0);
}

/* A process whose leader has ended and whose other thread waits for the pipe to be closed. */
static pid_t start_leaderless(int *writing)
{
	static int ends[2];
	pthread_t thread;
	pid_t pid;

	EXPECT_EQ(pipe(ends), 0);
	pid = fork();
	if (!pid) {
		close(ends[1]);
		if (pthread_create(&thread, NULL, wait_for_end, &ends[0]))
			_exit(1);
		pthread_exit(NULL);
	}
	close(ends[0]);
	*writing = ends[1];
	return pid;
}

static void count_end(void *context, int32_t pid)
{
	(void)pid;
	++*(int *)context;
}

static int collect(struct process_ends *ends)
{
	int nr_ended = 0;

	process_ends__collect(ends, count_end, &nr_ended);
	return nr_ended;
}

static void test_leader_first(void)
{
	struct process_ends ends;
	int writing, nr_ended = 0, i;
	siginfo_t info;
	pid_t pid = start_leaderless(&writing);

	process_ends__init(&ends);
	EXPECT(!process_ends__leader_exited(&ends, pid));
	for (i = 0; i < 20; i++) { /* before, while and after the leader becomes a zombie */
		EXPECT_EQ(collect(&ends), 0);
		usleep(5000);
	}
	close(writing);
	EXPECT_EQ(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
	for (i = 0; i < 200 && !nr_ended; i++, usleep(10000))
		nr_ended = collect(&ends);
	EXPECT_EQ(nr_ended, 1); /* a zombie that was not reaped has ended */
	EXPECT_EQ(collect(&ends), 0);
	EXPECT_EQ(waitpid(pid, NULL, 0), pid);
	process_ends__fini(&ends);
}

static void test_gone(void)
{
	struct process_ends ends;
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	EXPECT_EQ(waitpid(pid, NULL, 0), pid);
	process_ends__init(&ends);
	EXPECT(!process_ends__leader_exited(&ends, pid)); /* it may have had threads before us */
	EXPECT_EQ(collect(&ends), 1);
	process_ends__fini(&ends);
}

/* The end of a process of one thread is known without asking the kernel. */
static void test_single(void)
{
	struct process_ends ends;
	int32_t self = getpid();

	process_ends__init(&ends);
	EXPECT(!process_ends__forked(&ends, self));
	EXPECT(process_ends__leader_exited(&ends, self));
	EXPECT(!process_ends__forked(&ends, self));
	process_ends__cloned(&ends, self);
	EXPECT(!process_ends__leader_exited(&ends, self));
	EXPECT_EQ(collect(&ends), 0);
	EXPECT(process_ends__forked(&ends, self)); /* the id is in use again */
	EXPECT_EQ(collect(&ends), 0);
	process_ends__doubt(&ends);
	EXPECT(!process_ends__leader_exited(&ends, self));
	process_ends__execed(&ends, self); /* by a thread, which is the leader now */
	EXPECT(process_ends__leader_exited(&ends, self));
	process_ends__fini(&ends);
}

int main(void)
{
	static const struct test tests[] = {
		{"a process lives on without its leader", test_leader_first},
		{"one that is gone has ended", test_gone},
		{"one of a single thread ends with it", test_single},
		{0},
	};

	return run_tests("process_ends", tests);
}
