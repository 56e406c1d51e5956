// SPDX-License-Identifier: GPL-2.0-only
// cflags: -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls
/*
 * reborn TIMES: from SIGUSR1 on, TIMES times, a child waits in first_life until it is killed. Some
 * time later another one gets the same process id, waits 5 ms in second_life, and ends. At the end
 * the program prints how long children were there, by the function in which they were, from before
 * they were made until they were waited for; how long no process had the id; and how long the naps
 * of the second ones were by their own clocks, less their CPU time:
 *	{"first_ns": 201234567, "second_ns": 53456789, "nobody_ns": 203456789, "naps_ns": 50123456}
 *
 * The program needs CAP_SYS_ADMIN, which may choose an id. Without that it ends with status 77.
 */
#include <linux/sched.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "gate.h"

#define PAUSE_NS (20 * MS)
#define NAP_NS	 (5 * MS)

static uint64_t *naps_ns; /* shared with the children */

static inline __attribute__((always_inline)) void nap(uint64_t ns)
{
	const struct timespec rest = {.tv_nsec = (long)ns};

	raw_syscall(SYS_nanosleep, (long)&rest, 0, 0);
}

static FRAME void first_life(void)
{
	while (true)
		raw_pause();
}

static FRAME void second_life(void)
{
	const uint64_t begin_ns = clock_ns(CLOCK_MONOTONIC);
	const uint64_t begin_cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	uint64_t cpu_ns;

	nap(NAP_NS);
	cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID) - begin_cpu_ns;
	*naps_ns += clock_ns(CLOCK_MONOTONIC) - begin_ns - cpu_ns;
	KEEP_FRAME();
}

/* Makes a child with this id, or with any one (0). Returns negative errno if the id is taken. */
static pid_t bear(pid_t id, void (*live)(void))
{
	struct clone_args arguments = {.exit_signal = SIGCHLD,
				       .set_tid = id ? (uintptr_t)&id : 0,
				       .set_tid_size = id ? 1 : 0};
	const long pid = syscall(SYS_clone3, &arguments, sizeof(arguments));

	if (pid)
		return pid < 0 ? -errno : (pid_t)pid;
	die_with_parent();
	live();
	_exit(0);
}

static uint64_t end_of(pid_t pid, uint64_t begin_ns)
{
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	return clock_ns(CLOCK_MONOTONIC) - begin_ns;
}

int main(int argc, char **argv)
{
	const unsigned int times = (unsigned int)argument(argc, argv, 1, 10);
	uint64_t first_ns = 0, second_ns = 0, nobody_ns = 0;

	naps_ns = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (naps_ns == MAP_FAILED)
		return 1;
	gate_close();
	workload_ready();
	gate_rest();
	for (unsigned int i = 0; i < times; i++) {
		uint64_t begin_ns = clock_ns(CLOCK_MONOTONIC);
		pid_t pid = bear(0, first_life), next;

		if (pid < 0)
			return 1;
		nap(PAUSE_NS);
		kill(pid, SIGKILL);
		first_ns += end_of(pid, begin_ns);
		begin_ns = clock_ns(CLOCK_MONOTONIC);
		nap(PAUSE_NS);
		nobody_ns += clock_ns(CLOCK_MONOTONIC) - begin_ns;
		begin_ns = clock_ns(CLOCK_MONOTONIC);
		next = bear(pid, second_life);
		if (next == -EPERM)
			return 77;
		if (next > 0) /* another process may have it meanwhile */
			second_ns += end_of(next, begin_ns);
	}
	printf("{\"first_ns\": %llu, \"second_ns\": %llu, \"nobody_ns\": %llu, \"naps_ns\": "
	       "%llu}\n",
	       (unsigned long long)first_ns, (unsigned long long)second_ns,
	       (unsigned long long)nobody_ns, (unsigned long long)*naps_ns);
	gate_done();
	return 0;
}
