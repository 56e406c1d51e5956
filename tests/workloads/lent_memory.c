// SPDX-License-Identifier: GPL-2.0-only
// cflags: -O1 -fno-omit-frame-pointer -fno-builtin
/*
 * lent_memory: children by vfork allocate blocks that their parent frees, and free blocks that it
 * has allocated. In the end five blocks of 30,000 bytes are left, of by_parent.
 */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define NR 100

static void *volatile of_children[NR], *volatile of_parent[NR];

__attribute__((noipa)) static void by_child(int i)
{
	of_children[i] = malloc(20000);
}

__attribute__((noipa)) static void by_parent(int i)
{
	of_parent[i] = malloc(30000);
}

__attribute__((noipa)) static void lend(int i)
{
	by_parent(i);
	if (!vfork()) {
		by_child(i);
		if (i % 2) {
			free(of_parent[i]);
			of_parent[i] = NULL;
		}
		execl("/bin/true", "true", (char *)NULL);
		_exit(1);
	}
	wait(NULL);
}

int main(void)
{
	for (int i = 0; i < NR; i++)
		lend(i);
	for (int i = 0; i < NR; i++) {
		free(of_children[i]);
		if (i < 90)
			free(of_parent[i]);
	}
	return 0;
}
