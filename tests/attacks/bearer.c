// SPDX-License-Identifier: GPL-2.0-only
/*
 * bearer FILE...: maps the first 16 KiB of each file as code, says "ready", and runs in all of them
 * in turn. At offset 4096 each has a function that counts its first argument down. A file "-"
 * stands for such code in memory, at 0x200000000, as a runtime makes it.
 */
#include <err.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#define MAPPED_BYTES 16384
#define CODE_OFFSET  4096
#define TURNS	     5000000UL

#define MEMORY_AT ((void *)0x200000000)

typedef void count_down_fn(unsigned long turns);

/* 1: dec %rdi; jne 1b; ret */
static const unsigned char machine_code[] = {0x48, 0xff, 0xcf, 0x75, 0xfb, 0xc3};

static count_down_fn *make_code(void)
{
	char *memory = mmap(MEMORY_AT, MAPPED_BYTES, PROT_READ | PROT_WRITE | PROT_EXEC,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);

	if (memory == MAP_FAILED)
		err(1, "memory");
	memcpy(memory, machine_code, sizeof(machine_code));
	return (count_down_fn *)memory;
}

static count_down_fn *map_code(const char *path)
{
	const int fd = open(path, O_RDONLY);
	char *file;

	if (fd < 0)
		err(1, "%s", path);
	file = mmap(NULL, MAPPED_BYTES, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	if (file == MAP_FAILED)
		err(1, "%s", path);
	close(fd);
	return (count_down_fn *)(file + CODE_OFFSET);
}

int main(int argc, char **argv)
{
	count_down_fn **functions = calloc((size_t)argc, sizeof(*functions));
	int i;

	if (!functions)
		err(1, NULL);
	for (i = 1; i < argc; i++)
		functions[i] = strcmp(argv[i], "-") ? map_code(argv[i]) : make_code();
	prctl(PR_SET_PDEATHSIG, SIGKILL); /* after a change of the user, which clears it */
	puts("ready");
	fflush(stdout);
	for (;;)
		for (i = 1; i < argc; i++)
			functions[i](TURNS);
}
