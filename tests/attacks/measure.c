// SPDX-License-Identifier: GPL-2.0-only
/*
 * measure REPORT SECONDS COMMAND...: runs a command and says what it cost, with all processes that
 * it started: a line of assignments for a shell. What has not ended in time is killed, and so is what
 * the command leaves behind.
 */
#include <err.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MS_PER_S     1000
#define ENDING_MS    2000 /* for what is left behind and killed */
#define POLLING_US   2000
#define EXIT_BY_KILL (128 + SIGKILL)

static long now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * MS_PER_S + now.tv_nsec / 1000000;
}

/* All that the command started becomes ours when its parent has ended. Returns how many there are. */
static int kill_children(void)
{
	FILE *list = fopen("/proc/thread-self/children", "r");
	int pid, nr = 0;

	while (list && fscanf(list, "%d", &pid) == 1) {
		kill(pid, SIGKILL);
		nr++;
	}
	if (list)
		fclose(list);
	return nr;
}

/* False: not in time. */
static int wait_for(pid_t child, long deadline_ms, int *status)
{
	pid_t ended;

	for (;;) {
		ended = waitpid(-1, status, WNOHANG);
		if (ended == child)
			return 1;
		if (ended > 0)
			continue;
		if (now_ms() > deadline_ms)
			return 0;
		usleep(POLLING_US);
	}
}

static void reap(void)
{
	const long deadline_ms = now_ms() + ENDING_MS;

	while (waitpid(-1, NULL, WNOHANG) >= 0 && now_ms() < deadline_ms) {
		kill_children();
		usleep(POLLING_US);
	}
}

int main(int argc, char **argv)
{
	long begin_ms, wall_ms, cpu_ms;
	int status, in_time, left;
	struct rusage usage;
	FILE *report;
	pid_t child;

	if (argc < 4)
		errx(2, "usage: measure REPORT SECONDS COMMAND...");
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	begin_ms = now_ms();
	child = fork();
	if (child < 0)
		err(1, "fork");
	if (child == 0) {
		execvp(argv[3], argv + 3);
		err(127, "%s", argv[3]);
	}
	in_time = wait_for(child, begin_ms + atol(argv[2]) * MS_PER_S, &status);
	wall_ms = now_ms() - begin_ms;
	left = kill_children();
	reap();

	getrusage(RUSAGE_CHILDREN, &usage);
	cpu_ms = (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * MS_PER_S +
		 (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1000;
	report = fopen(argv[1], "w");
	if (!report)
		err(1, "%s", argv[1]);
	fprintf(report, "status=%d in_time=%d wall_ms=%ld cpu_ms=%ld peak_kb=%ld left_behind=%d\n",
		!in_time	      ? EXIT_BY_KILL
		: WIFSIGNALED(status) ? 128 + WTERMSIG(status)
				      : WEXITSTATUS(status),
		in_time, wall_ms, cpu_ms, usage.ru_maxrss, left);
	return fclose(report) ? 1 : 0;
}
