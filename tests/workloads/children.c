// SPDX-License-Identifier: GPL-2.0-only
// cflags: -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -fno-inline
/*
 * children [SECONDS]: a parent that computes, a child forked before "ready", and at SIGUSR1 one
 * more, which has a child of its own. Their functions are parent, born_before, born_after and
 * grandchild; their pids are printed, at the start and after the signal:
 *	{"parent": 100, "born_before": 101}
 *	{"born_after": 105}
 */
#include "workload.h"

#define ROLE(name)                                             \
	static FRAME void name(uint64_t deadline)              \
	{                                                      \
		while (!past(deadline) && !workload_signalled) \
			spin(MS);                              \
		KEEP_FRAME();                                  \
	}

ROLE(parent)
ROLE(born_before)
ROLE(born_after)
ROLE(grandchild)

static pid_t fork_child(void)
{
	pid_t pid = fork();

	if (pid < 0)
		exit(1);
	if (!pid)
		die_with_parent();
	return pid;
}

int main(int argc, char **argv)
{
	uint64_t deadline = workload_begin(argument(argc, argv, 1, WORKLOAD_MAX_SECONDS));
	pid_t before, after;

	before = fork_child();
	if (!before) {
		born_before(deadline);
		return 0;
	}
	printf("{\"parent\": %d, \"born_before\": %d}\n", getpid(), before);
	workload_ready();
	parent(deadline);
	workload_signalled = 0;
	after = fork_child();
	if (!after) {
		if (fork_child())
			born_after(deadline);
		else
			grandchild(deadline);
		return 0;
	}
	printf("{\"born_after\": %d}\n", after);
	fflush(stdout);
	parent(deadline);
	return 0;
}
