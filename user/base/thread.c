// SPDX-License-Identifier: GPL-2.0-only
#include "base/thread.h"

#include <signal.h>

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
