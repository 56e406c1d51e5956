// SPDX-License-Identifier: GPL-2.0-only
#include "push/signals.h"

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

static void fill(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	sigaddset(set, SIGHUP);
	sigaddset(set, SIGUSR1);
}

void signals__hold(void)
{
	sigset_t set;

	fill(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
}

static struct timespec to_timespec(double seconds)
{
	const int64_t ns = (int64_t)(seconds * 1e9);

	return (struct timespec){ns / 1000000000, ns % 1000000000};
}

void signals__wait(struct push_signals *signals, double seconds)
{
	const struct timespec time = to_timespec(signals->must_stop ? 0 : seconds);
	sigset_t set;
	int number;

	fill(&set);
	number = sigtimedwait(&set, NULL, &time);
	if (number == SIGUSR1)
		signals->must_report = true;
	else if (number > 0)
		signals->must_stop = true;
}
