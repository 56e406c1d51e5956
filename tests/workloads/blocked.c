// SPDX-License-Identifier: GPL-2.0-only
// cflags: -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -mno-omit-leaf-frame-pointer
/*
 * blocked NUMBER [DEPTH]: in each of three waits that never end, NUMBER threads wait:
 * block_in_pause, block_in_futex and block_in_read, below DEPTH calls of descend. main waits in
 * sigwait.
 */
#include <linux/futex.h>
#include <pthread.h>

#include "gate.h"

#define STACK_BYTES (256 << 10)

/*
 * Keeps the frame as KEEP_FRAME() does. A function that calls no other one gets a frame all the
 * same.
 */
#define HAVE_FRAME() __asm__ volatile("" ::"r"(__builtin_frame_address(0)) : "memory")

static uint32_t never;
static int empty_pipe[2];

static FRAME void block_in_pause(void)
{
	raw_pause();
	HAVE_FRAME();
}

static FRAME void block_in_futex(void)
{
	raw_syscall4(SYS_futex, (long)&never, FUTEX_WAIT_PRIVATE, 0, 0);
	HAVE_FRAME();
}

static FRAME void block_in_read(void)
{
	char byte;

	raw_syscall(SYS_read, empty_pipe[0], (long)&byte, 1);
	HAVE_FRAME();
}

struct blocking {
	void (*block)(void);
	unsigned int depth;
};

static FRAME void descend(const struct blocking *blocking, unsigned int more)
{
	if (more)
		descend(blocking, more - 1);
	else
		blocking->block();
	KEEP_FRAME();
}

static FRAME void *run_blocking(void *argument)
{
	const struct blocking *blocking = argument;

	descend(blocking, blocking->depth - 1);
	return NULL;
}

int main(int argc, char **argv)
{
	const unsigned int nr = (unsigned int)argument(argc, argv, 1, 1);
	const unsigned int depth = (unsigned int)argument(argc, argv, 2, 1);
	const struct blocking kinds[] = {
		{block_in_pause, depth}, {block_in_futex, depth}, {block_in_read, depth}};
	pthread_attr_t small;
	pthread_t thread;

	gate_close();
	if (!depth || pipe(empty_pipe) || pthread_attr_init(&small) ||
	    pthread_attr_setstacksize(&small, STACK_BYTES))
		return 2;
	for (unsigned int i = 0; i < 3 * nr; i++)
		if (pthread_create(&thread, &small, run_blocking, (void *)&kinds[i % 3]))
			return 1;
	workload_ready();
	gate_rest();
	return 0;
}
