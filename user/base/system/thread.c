// SPDX-License-Identifier: GPL-2.0-only
#include "base/system/thread.h"

#include <signal.h>
#include <sys/resource.h>

#include "base/system/rights.h"

#define OWN_PRIORITY	  (-10)
#define STACK_BYTES	  (1U << 20) /* independent of ulimit, which is for the first thread */
#define FIRST_STACK_BYTES (4U << 20) /* demanglers and libdw run on it */

int thread__start(pthread_t *thread, void *(*run)(void *context), void *context)
{
	pthread_attr_t attributes;
	sigset_t all, before;
	int code;

	code = pthread_attr_init(&attributes);
	if (code)
		return -code;
	pthread_attr_setstacksize(&attributes, STACK_BYTES);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	code = pthread_create(thread, &attributes, run, context);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attributes);
	return -code;
}

/* glibc returns EAGAIN also if memory for the stack or the kernel's thread is lacking. */
int thread__explain(struct error *err, int code, const char *what)
{
	if (code != -EAGAIN)
		return error__set(err, EXIT_INTERNAL, code, "%s", what);
	error__say(err, EXIT_INTERNAL, code, "%s: too many threads, or no memory for another one",
		   what);
	return error__remedy(err, "raise the limit (ulimit -u, pids.max)");
}

void thread__hurry(void)
{
	const uint64_t before = rights__raise(RIGHTS_TO_HURRY);

	setpriority(PRIO_PROCESS, 0, OWN_PRIORITY); /* for this thread only: setpriority(2),
						     * Notes */
	rights__restore(before);
}

void thread__raise_stack(void)
{
	struct rlimit limit;
	uint64_t before;

	if (getrlimit(RLIMIT_STACK, &limit) || limit.rlim_cur >= FIRST_STACK_BYTES)
		return;
	before = rights__raise(RIGHT_SYS_RESOURCE);
	limit.rlim_cur = FIRST_STACK_BYTES;
	if (limit.rlim_max < FIRST_STACK_BYTES)
		limit.rlim_max = FIRST_STACK_BYTES;
	setrlimit(RLIMIT_STACK, &limit);
	rights__restore(before);
}
