// SPDX-License-Identifier: GPL-2.0-only
/*
 * measure REPORT SECONDS[,MS] COMMAND...: runs a command, and writes to REPORT how much it cost,
 * with all processes that it started: a line of assignments for a shell. The command is killed if
 * it has not ended in time, and so are processes that it leaves behind. With MS the command gets
 * SIGINT after so many milliseconds.
 *
 *	wall_ms		the time from its start to its end
 *	ended_ms	the time when it ended, since 1970
 *	ending_ms	the time from SIGINT to its end; 0: it got none
 *	delayed_ms	the time that any thread of the machine waited for a CPU meanwhile, as the
 *			command's processes help each other; where the kernel does not tell
 *			(CONFIG_PSI), the time that the command's first thread waited
 *	cpu_ms		the CPU time of all its processes
 *	peak_kb		the memory of the process that had most
 */
#include <err.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MS_PER_S     1000
#define NS_PER_MS    1000000
#define ENDING_MS    2000 /* for processes that are left behind and killed */
#define POLLING_US   2000
#define EXIT_BY_KILL (128 + SIGKILL)

struct watch {
	pid_t child;
	long begin_ms, deadline_ms;
	long interrupt_ms; /* when to send SIGINT; 0: never, or it was sent */
	long interrupted_ms;
	long delayed_ms;
	long begin_pressure_ms;
	int status;
};

static long clock_ms(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * MS_PER_S + now.tv_nsec / NS_PER_MS;
}

static long now_ms(void)
{
	return clock_ms(CLOCK_MONOTONIC);
}

/*
 * Kills our children, and returns how many there are. Every process that the command started
 * becomes our child when its parent has ended.
 */
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

/* Returns how long a process waited for a CPU. It has ended, and was not waited for. */
static long delay_of(pid_t child)
{
	unsigned long long ran_ns, delayed_ns = 0;
	char path[64];
	FILE *times;

	snprintf(path, sizeof(path), "/proc/%d/schedstat", (int)child);
	times = fopen(path, "r");
	if (times && fscanf(times, "%llu %llu", &ran_ns, &delayed_ns) != 2)
		delayed_ns = 0;
	if (times)
		fclose(times);
	return (long)(delayed_ns / NS_PER_MS);
}

/*
 * Reads the total, which is in microseconds there; 0: the kernel does not tell. The line is "some
 * avg10=0.00 avg60=0.00 avg300=0.00 total=3478078080".
 */
static long pressure_ms(void)
{
	unsigned long long total_us = 0;
	FILE *file = fopen("/proc/pressure/cpu", "r");

	if (file && fscanf(file, "some avg10=%*f avg60=%*f avg300=%*f total=%llu", &total_us) != 1)
		total_us = 0;
	if (file)
		fclose(file);
	return (long)(total_us / 1000);
}

static void interrupt_in_time(struct watch *watch)
{
	if (!watch->interrupt_ms || now_ms() < watch->interrupt_ms)
		return;
	kill(watch->child, SIGINT);
	watch->interrupted_ms = now_ms();
	watch->interrupt_ms = 0;
}

/* Waits for the command's end. Returns false if it has not ended in time. */
static int wait_for(struct watch *watch)
{
	siginfo_t ended;

	for (;;) {
		ended.si_pid = 0;
		waitid(P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT);
		if (ended.si_pid == watch->child)
			watch->delayed_ms = watch->begin_pressure_ms
						    ? pressure_ms() - watch->begin_pressure_ms
						    : delay_of(watch->child);
		if (ended.si_pid && waitpid(ended.si_pid, &watch->status, 0) == watch->child)
			return 1;
		if (ended.si_pid)
			continue;
		if (now_ms() > watch->deadline_ms)
			return 0;
		interrupt_in_time(watch);
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

static void start(struct watch *watch, const char *seconds, char **command)
{
	const char *interrupt = strchr(seconds, ',');

	watch->begin_pressure_ms = pressure_ms();
	watch->begin_ms = now_ms();
	watch->deadline_ms = watch->begin_ms + atol(seconds) * MS_PER_S;
	if (interrupt)
		watch->interrupt_ms = watch->begin_ms + atol(interrupt + 1);
	watch->child = fork();
	if (watch->child < 0)
		err(1, "fork");
	if (watch->child == 0) {
		execvp(command[0], command);
		err(127, "%s", command[0]);
	}
}

static int exit_status(const struct watch *watch, int in_time)
{
	if (!in_time)
		return EXIT_BY_KILL;
	return WIFSIGNALED(watch->status) ? 128 + WTERMSIG(watch->status)
					  : WEXITSTATUS(watch->status);
}

int main(int argc, char **argv)
{
	struct watch watch = {0};
	long end_ms, ended_ms, cpu_ms;
	struct rusage usage;
	int in_time, left;
	FILE *report;

	if (argc < 4)
		errx(2, "usage: measure REPORT SECONDS[,MS] COMMAND...");
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	start(&watch, argv[2], argv + 3);
	in_time = wait_for(&watch);
	end_ms = now_ms();
	ended_ms = clock_ms(CLOCK_REALTIME);
	left = kill_children();
	reap();

	getrusage(RUSAGE_CHILDREN, &usage);
	cpu_ms = (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * MS_PER_S +
		 (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1000;
	report = fopen(argv[1], "w");
	if (!report)
		err(1, "%s", argv[1]);
	fprintf(report,
		"status=%d in_time=%d wall_ms=%ld ended_ms=%ld ending_ms=%ld delayed_ms=%ld "
		"cpu_ms=%ld peak_kb=%ld left_behind=%d\n",
		exit_status(&watch, in_time), in_time, end_ms - watch.begin_ms, ended_ms,
		watch.interrupted_ms ? end_ms - watch.interrupted_ms : 0, watch.delayed_ms, cpu_ms,
		usage.ru_maxrss, left);
	return fclose(report) ? 1 : 0;
}
