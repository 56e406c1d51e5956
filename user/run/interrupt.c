// SPDX-License-Identifier: GPL-2.0-only
#include "run/interrupt.h"

#include <signal.h>
#include <time.h>

static volatile sig_atomic_t noted;	   /* enum interrupt */
static volatile sig_atomic_t noted_signal; /* its number */
static volatile sig_atomic_t ends_at_second;

static void note(int signal_number, siginfo_t *info, void *context)
{
	(void)context;
	noted_signal = signal_number;
	noted = info->si_code == SI_KERNEL ? INTERRUPT_TERMINAL : INTERRUPT_PROCESS;
}

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};

static sigset_t all_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigaddset(&set, signals[i]);
	return set;
}

static void block(int how)
{
	const sigset_t set = all_signals();

	sigprocmask(how, &set, NULL);
}

/*
 * nohup(1) ignores SIGHUP, so that a run outlives its terminal. SIGINT is caught in any case:
 * shells without job control ignore it for background jobs, where kill(1) must still end a run with
 * its summary.
 */
static void handle(const struct sigaction *action)
{
	struct sigaction now;
	bool is_ignored;

	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		is_ignored = signals[i] == SIGHUP && !sigaction(SIGHUP, NULL, &now) &&
			     !(now.sa_flags & SA_SIGINFO) && now.sa_handler == SIG_IGN;
		if (!is_ignored)
			sigaction(signals[i], action, NULL);
	}
}

static void restore(void)
{
	struct sigaction action = {.sa_handler = SIG_DFL};

	sigemptyset(&action.sa_mask);
	handle(&action);
	block(SIG_UNBLOCK);
}

void interrupt__hold(void)
{
	block(SIG_BLOCK);
}

void interrupt__setup(bool persistent)
{
	struct sigaction action = {.sa_sigaction = note, .sa_flags = SA_SIGINFO};

	sigemptyset(&action.sa_mask);
	ends_at_second = !persistent;
	handle(&action);
}

void interrupt__let_in(sigset_t *mask)
{
	pthread_sigmask(SIG_SETMASK, NULL, mask);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigdelset(mask, signals[i]);
}

bool interrupt__has_come(void)
{
	return noted_signal != 0;
}

bool interrupt__is_pending(void)
{
	bool is_pending = false;
	sigset_t pending;

	sigpending(&pending);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		is_pending |= sigismember(&pending, signals[i]) == 1;
	return is_pending;
}

enum interrupt interrupt__take(int *signal_number)
{
	enum interrupt taken = (enum interrupt)noted;

	*signal_number = noted_signal;
	noted = INTERRUPT_NONE;
	if (taken != INTERRUPT_NONE && ends_at_second)
		restore();
	return taken;
}

void interrupt__obey(void)
{
	restore();
}

void interrupt__release(void)
{
	const struct timespec now = {0};
	const sigset_t set = all_signals();

	while (sigtimedwait(&set, NULL, &now) > 0)
		;
	restore();
}

void interrupt__reset(void)
{
	restore();
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
}
