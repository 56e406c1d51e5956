// SPDX-License-Identifier: GPL-2.0-only
#include "base/thread.h"

#include <signal.h>
#include <sys/resource.h>

#include "base/rights.h"

#define OWN_PRIORITY (-10)

int thread__start(pthread_t *thread, void *(*run)(void *context), void *context)
{
	sigset_t all, before;
	int code;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	code = pthread_create(thread, NULL, run, context);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return -code;
}

void thread__hurry(void)
{
	const uint64_t before = rights__raise(RIGHTS_TO_HURRY);

	setpriority(PRIO_PROCESS, 0, OWN_PRIORITY); /* of a thread: setpriority(2), Notes */
	rights__restore(before);
}
