// SPDX-License-Identifier: GPL-2.0-only
/* Command lines of children, which were told what to be called. */
#include "processes/command_line.h"

#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "expect.h"
#include "processes.h"
#include "processes/process.h"

#define LONG 10000

static struct command_lines *lines;

static void wait_for_end_of(int fd)
{
	char byte;

	while (read(fd, &byte, 1) > 0)
		;
	close(fd);
}

/* A shell with these arguments that waits; when this returns, it is the shell. */
static pid_t start(char *const arguments[])
{
	int ready[2];
	pid_t child;

	EXPECT_EQ(pipe2(ready, O_CLOEXEC), 0);
	child = fork();
	if (!child) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		execv("/bin/sh", arguments);
		_exit(1);
	}
	close(ready[1]);
	wait_for_end_of(ready[0]);
	return child;
}

static struct process process_of(pid_t pid, uint64_t instance)
{
	return (struct process){
		.instance = instance, .start_ns = process_start_ns(pid), .pid = pid, .comm = "sh"};
}

static void end(pid_t child)
{
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

static const char *find(const struct process *process)
{
	return command_lines__find(lines, process, NULL, NULL);
}

static void test_arguments(void)
{
	char *arguments[] = {"any name", "-c", "kill -STOP $$", "\x1b[2J", "", "last", NULL};
	const pid_t child = start(arguments);
	const struct process process = process_of(child, 1);

	lines = command_lines__new();
	EXPECT_STR(find(&process), "any name -c kill -STOP $$ \x1b[2J  last");
	end(child);
	EXPECT_STR(find(&process), "any name -c kill -STOP $$ \x1b[2J  last"); /* as it was told */
	command_lines__free(lines);
}

static void test_others(void)
{
	char *arguments[] = {"sh", "-c", "kill -STOP $$", NULL};
	const pid_t child = start(arguments);
	struct process process = process_of(child, 1);

	lines = command_lines__new();
	strcpy(process.comm, "make"); /* what it was before it ran sh */
	EXPECT_STR(find(&process), NULL);
	process = process_of(child, 2);
	process.start_ns -= 10000000000ULL; /* who had its pid before */
	EXPECT_STR(find(&process), NULL);
	process = process_of(child, 3);
	process.kernel_thread = true;
	EXPECT_STR(find(&process), NULL);
	process = process_of(child, 4);
	end(child);
	EXPECT_STR(find(&process), NULL);
	command_lines__free(lines);
}

static void test_long_one(void)
{
	char argument[LONG + 1] = "", *arguments[] = {"sh", "-c", "kill -STOP $$", argument, NULL};
	struct process process;
	const char *text;
	pid_t child;

	memset(argument, 'a', LONG);
	child = start(arguments);
	process = process_of(child, 1);
	lines = command_lines__new();
	text = find(&process);
	EXPECT(text && strlen(text) == 4096);
	end(child);
	command_lines__free(lines);
}

int main(void)
{
	static const struct test tests[] = {
		{"arguments with spaces between them", test_arguments},
		{"a process that may not be the one that is meant", test_others},
		{"the rest of a long one is cut off", test_long_one},
		{0},
	};

	return run_tests("command lines", tests);
}
