// SPDX-License-Identifier: GPL-2.0-only
// cflags: -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls
/*
 * owners USER OTHER MILLISECONDS: warms up from SIGUSR1 on, as the user that started it. From the
 * next SIGUSR1 on it changes its owner again and again, with root's rights. With each owner it is
 * in a function of its own, for MILLISECONDS of CPU time, with a few sleeps. At the end the program
 * prints the owner in each function: a user's id, or -1 if the process had no owner:
 *	{"function": "as_started", "owner": 0}
 */
#include <pthread.h>
#include <sys/syscall.h>

#include "gate.h"

#define SLEEPS	 3
#define SLEEP_NS 5000000

#define NOBODY (-1)

static long user, other;
static uint64_t run_ns;

static inline __attribute__((always_inline)) void run_and_sleep(void)
{
	const struct timespec rest = {.tv_nsec = SLEEP_NS};

	for (int i = 0; i < SLEEPS; i++) {
		spin(run_ns / SLEEPS);
		raw_syscall(SYS_nanosleep, (long)&rest, 0, 0);
	}
}

#define PHASE(name)                  \
	static FRAME void name(void) \
	{                            \
		run_and_sleep();     \
		KEEP_FRAME();        \
	}

PHASE(warm_up)
PHASE(as_started)
PHASE(closed)
PHASE(opened)
PHASE(half_another)
PHASE(half_another_opened)
PHASE(came_back)
PHASE(came_back_opened)
PHASE(another_thread)
PHASE(beside_another_thread)
PHASE(another_closed)
PHASE(another_opened)

/* Sets the ids of this thread alone. The C library would set those of all threads. */
static void set_ids(long real, long effective, long saved)
{
	if (raw_syscall(SYS_setresuid, real, effective, saved)) {
		printf("no right to change ids\n");
		exit(1);
	}
}

static void set_dumpable(int dumpable)
{
	raw_syscall(SYS_prctl, PR_SET_DUMPABLE, dumpable, 0);
}

static FRAME void tell(const char *name, long owner, void (*phase)(void))
{
	phase();
	printf("{\"function\": \"%s\", \"owner\": %ld}\n", name, owner);
}

#define TELL(phase, owner) tell(#phase, owner, phase)

static void *run_thread(void *unused)
{
	set_ids(other, other, other);
	set_dumpable(1);
	TELL(another_thread, other);
	return unused;
}

static bool is_signalled(void)
{
	const struct timespec now = {0};

	return sigtimedwait(&gate_signals, NULL, &now) > 0;
}

static void change_hands(void)
{
	pthread_t thread;

	TELL(as_started, 0);
	set_dumpable(0);
	TELL(closed, NOBODY);
	set_dumpable(1);
	TELL(opened, 0);
	set_ids(user, user, 0);
	TELL(half_another, NOBODY);
	set_dumpable(1);
	TELL(half_another_opened, NOBODY);
	set_ids(0, 0, 0);
	TELL(came_back, NOBODY);
	set_dumpable(1);
	TELL(came_back_opened, 0);
	if (pthread_create(&thread, NULL, run_thread, NULL))
		exit(1);
	pthread_join(thread, NULL);
	TELL(beside_another_thread, 0);
	set_ids(user, user, user);
	TELL(another_closed, NOBODY);
	set_dumpable(1);
	TELL(another_opened, user);
}

int main(int argc, char **argv)
{
	user = (long)argument(argc, argv, 1, 0);
	other = (long)argument(argc, argv, 2, 0);
	run_ns = (uint64_t)(argument(argc, argv, 3, 100) * 1e6);
	gate_close();
	workload_ready();
	gate_rest();
	while (!is_signalled())
		warm_up();
	change_hands();
	gate_done();
	return 0;
}
