// SPDX-License-Identifier: GPL-2.0-only
/*
 * crowd MAPPINGS [DEPTH]: maps that many pages as code, each of them a mapping of its own, from a
 * file below DEPTH directories with names of 250 bytes; says "ready" and burns CPU time.
 */
#include <err.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#define PAGE_BYTES 4096UL
#define NAME_BYTES 250

/* Makes `depth` directories, one in the other, and leaves us in the deepest. */
static void descend(int depth)
{
	char name[NAME_BYTES + 1];

	memset(name, 'x', NAME_BYTES);
	name[NAME_BYTES] = '\0';
	while (depth-- > 0)
		if (mkdir(name, 0755) || chdir(name))
			err(1, "directory");
}

/*
 * Maps one page of the file `nr` times, side by side. As all have the same offset, the kernel makes
 * no two of them one mapping.
 */
static void map_pages(int fd, unsigned long nr)
{
	char *space = mmap(NULL, nr * PAGE_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned long i;

	if (space == MAP_FAILED)
		err(1, "address space");
	for (i = 0; i < nr; i++)
		if (mmap(space + i * PAGE_BYTES, PAGE_BYTES, PROT_READ | PROT_EXEC,
			 MAP_PRIVATE | MAP_FIXED, fd, 0) == MAP_FAILED)
			err(1, "mapping %lu", i);
}

int main(int argc, char **argv)
{
	volatile unsigned long turns = 0;
	int fd;

	if (argc < 2)
		errx(2, "usage: crowd MAPPINGS [DEPTH]");
	descend(argc > 2 ? atoi(argv[2]) : 0);
	fd = open("code", O_RDWR | O_CREAT, 0755);
	if (fd < 0 || ftruncate(fd, PAGE_BYTES))
		err(1, "code");
	map_pages(fd, strtoul(argv[1], NULL, 10));
	prctl(PR_SET_PDEATHSIG, SIGKILL); /* after a change of the user, which clears it */
	puts("ready");
	fflush(stdout);
	for (;;)
		turns++;
}
