// SPDX-License-Identifier: GPL-2.0-only
// cflags: -O1 -fno-omit-frame-pointer
/*
 * probed CALLS [now|thread|exec|fork]: calls functions a known number of times. The program waits
 * for SIGUSR1, or does not (now). Then it calls take_bytes CALLS times, with 1, 2, 3 and so on, and
 * as often keep_below, a leaf that keeps its argument below its stack pointer. It does so in a
 * thread (thread); also in a child (fork), which waits for SIGUSR1 as well; or a thread executes
 * this program, and all begins anew (exec). The program prints how many bytes that were, how often
 * the leaf's data had changed, and with which byte take_bytes begins. It waits for SIGTERM, or does
 * not (now).
 */
#include "workload.h"

#include <pthread.h>
#include <sys/wait.h>

extern const unsigned char below_stack[]; /* in keep_below */

FRAME uint64_t take_bytes(uint64_t nr_bytes)
{
	KEEP_FRAME();
	return nr_bytes;
}

/*
 * Keeps the value below the stack pointer during a nop of five bytes. A call there would overwrite
 * it.
 */
#ifdef __x86_64__
static FRAME long keep_below(long value)
{
	long found;

	__asm__ volatile("movq %1, -8(%%rsp)\n"
			 ".globl below_stack\n"
			 ".type below_stack, @function\n"
			 "below_stack: .byte 0x0f, 0x1f, 0x44, 0x00, 0x00\n"
			 "movq -8(%%rsp), %0\n"
			 ".size below_stack, . - below_stack\n"
			 : "=r"(found)
			 : "r"(value)
			 : "memory");
	return found;
}
#else
static FRAME long keep_below(long value)
{
	return value;
}
#endif

static uint64_t nr_bytes;
static long nr_calls, nr_hurt;

static FRAME void call_all(void)
{
	long i;

	for (i = 1; i <= nr_calls; i++) {
		nr_bytes += take_bytes((uint64_t)i);
		nr_hurt += keep_below(i) != i;
	}
	KEEP_FRAME();
}

static void *call_in_thread(void *unused)
{
	call_all();
	return unused;
}

static void *execute(void *arguments)
{
	char **argv = arguments;

	execl("/proc/self/exe", argv[0], argv[1], NULL);
	exit(1);
}

static void wait_for(int signal)
{
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, signal);
	while (sigwaitinfo(&signals, NULL) < 0 && errno == EINTR)
		;
}

static void run(const char *mode, char **argv)
{
	pthread_t thread;

	if (!strcmp(mode, "thread") || !strcmp(mode, "exec")) {
		pthread_create(&thread, NULL, mode[0] == 't' ? call_in_thread : execute, argv);
		pthread_join(thread, NULL);
		return;
	}
	call_all();
	if (strcmp(mode, "fork") != 0)
		return;
	if (!fork()) {
		die_with_parent();
		wait_for(SIGUSR1);
		call_all();
		_exit(0);
	}
	wait(NULL);
}

int main(int argc, char **argv)
{
	const char *mode = argc > 2 ? argv[2] : "";
	const volatile unsigned char *code = (const void *)take_bytes;
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, SIGUSR1);
	sigaddset(&signals, SIGTERM);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	die_with_parent();
	alarm((unsigned int)WORKLOAD_MAX_SECONDS);
	nr_calls = (long)argument(argc, argv, 1, 1000);
	if (strcmp(mode, "now") != 0) {
		printf("ready\n");
		fflush(stdout);
		wait_for(SIGUSR1);
	}
	run(mode, argv);
	printf("{\"bytes\": %llu, \"hurt\": %ld, \"code\": %u}\ndone\n",
	       (unsigned long long)nr_bytes, nr_hurt, *code);
	fflush(stdout);
	if (strcmp(mode, "now") != 0)
		wait_for(SIGTERM);
	return 0;
}
