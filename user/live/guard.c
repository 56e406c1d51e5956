// SPDX-License-Identifier: GPL-2.0-only
/*
 * A signal handler can only use globals. These are set before it is installed. All functions that
 * it calls are async-signal-safe (signal-safety(7)).
 */
#include "live/guard.h"
#include "base/common.h"

#include <signal.h>
#include <termios.h>
#include <unistd.h>

/* All signals that terminate a process by default, except those that the caller waits for. */
static const int signals[] = {SIGSEGV, SIGABRT, SIGBUS,	 SIGFPE,  SIGILL,  SIGTRAP,   SIGSYS,
			      SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGXCPU, SIGVTALRM, SIGPROF};

static struct termios settings;
static int terminal = -1;
static char leaving[256];
static size_t nr_leaving;

/* Also at the end of a process that has no memory left, which is no signal. */
static void give_back_at_once(void)
{
	if (terminal < 0)
		return;
	tcflush(terminal, TCOFLUSH); /* a stopped terminal would never take it */
	(void)!write(terminal, leaving, nr_leaving);
	tcsetattr(terminal, TCSANOW, &settings);
}

static void give_back(int number)
{
	give_back_at_once();
	raise(number); /* has its default action again, by SA_RESETHAND */
}

static void handle(void (*handler)(int))
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = (int)SA_RESETHAND}, before;

	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		if (!sigaction(signals[i], NULL, &before) && before.sa_handler != SIG_IGN)
			sigaction(signals[i], &action, NULL);
}

void guard__remember(int fd)
{
	terminal = tcgetattr(fd, &settings) ? -1 : fd;
	at_quick_exit(give_back_at_once);
}

void guard__arm(const char *leave)
{
	nr_leaving = strlen(leave);
	if (nr_leaving > sizeof(leaving))
		nr_leaving = 0;
	memcpy(leaving, leave, nr_leaving);
	if (terminal >= 0)
		handle(give_back);
}

/* Drops pending output: a stopped terminal would never take it. */
void guard__give_back(void)
{
	if (terminal < 0)
		return;
	tcflush(terminal, TCOFLUSH);
	tcsetattr(terminal, TCSANOW, &settings);
}

void guard__disarm(void)
{
	handle(SIG_DFL);
	terminal = -1;
}
