// SPDX-License-Identifier: GPL-2.0-only
// cflags: -O2 -fomit-frame-pointer -fno-optimize-sibling-calls
/*
 * signals [SECONDS]: spends nearly all its time in a handler of a signal: main → raise_often →
 * raise → on_signal → spin, every second time on a stack of the handler's own.
 */
#include "workload.h"

#include <signal.h>

static char other_stack[1 << 16];

static FRAME void on_signal(int number)
{
	(void)number;
	spin(5 * MS);
	KEEP_FRAME();
}

static FRAME void raise_often(uint64_t deadline)
{
	while (!past(deadline)) {
		raise(SIGUSR1);
		raise(SIGUSR2);
	}
	KEEP_FRAME();
}

int main(int argc, char **argv)
{
	uint64_t deadline = workload_begin(argument(argc, argv, 1, WORKLOAD_MAX_SECONDS));
	const stack_t other = {.ss_sp = other_stack, .ss_size = sizeof(other_stack)};
	struct sigaction action = {.sa_handler = on_signal};

	sigaltstack(&other, NULL);
	sigaction(SIGUSR1, &action, NULL);
	action.sa_flags = SA_ONSTACK;
	sigaction(SIGUSR2, &action, NULL);
	workload_ready();
	raise_often(deadline);
	return 0;
}
