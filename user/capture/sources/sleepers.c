// SPDX-License-Identifier: GPL-2.0-only
#include "capture/sources/sleepers.h"

#include <pthread.h>
#include <time.h>

#include <bpf/libbpf.h>

#include "base/system/thread.h"
#include "capture/host/iterate.h"
#include "capture/host/skeleton.h"

#define PATIENCE_NS 250000000L

/* It ends with the process at the latest: what it waits for in the kernel, a signal that kills ends. */
static void *walk(void *link)
{
	iterate__pass(link);
	bpf_link__destroy(link);
	return NULL;
}

static struct timespec deadline(void)
{
	struct timespec time;

	clock_gettime(CLOCK_REALTIME, &time);
	time.tv_nsec += PATIENCE_NS;
	time.tv_sec += time.tv_nsec / 1000000000;
	time.tv_nsec %= 1000000000;
	return time;
}

void sleepers__walk(const struct topstacks_bpf *skeleton)
{
	const struct bpf_program *program = bpf_program__autoload(skeleton->progs.on_asleep_unw)
						    ? skeleton->progs.on_asleep_unw
						    : skeleton->progs.on_asleep;
	struct bpf_link *link = iterate__link(program);
	const struct timespec until = deadline();
	pthread_t thread;

	if (!link)
		return;
	if (thread__start(&thread, walk, link))
		bpf_link__destroy(link);
	else if (pthread_timedjoin_np(thread, NULL, &until))
		pthread_detach(thread);
}
