// SPDX-License-Identifier: GPL-2.0-only
// cflags: -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -fno-inline
/*
 * many_mappings DIRECTORY PROCESSES MAPPINGS PATH_BYTES: starts PROCESSES processes that have
 * mapped MAPPINGS pages of code, and compute. Each page is of a file with a name of its own, so far
 * below DIRECTORY that its path has PATH_BYTES bytes.
 *
 * The files are links to one, which is made there. Without PATH_BYTES (0), all pages are of one
 * file, at offsets that keep the kernel from making one mapping of them.
 */
#include "workload.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define PAGE	  4096
#define STEP_NAME 250

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

/* Goes down until paths of files are that long. */
static void go_down(const char *directory, size_t path_bytes)
{
	char name[STEP_NAME + 1];
	size_t at;

	memset(name, 'd', STEP_NAME);
	name[STEP_NAME] = '\0';
	if (chdir(directory))
		fail(directory);
	for (at = strlen(directory); at + STEP_NAME + 32 < path_bytes; at += STEP_NAME + 1) {
		if (mkdir(name, 0755) && errno != EEXIST)
			fail("mkdir");
		if (chdir(name))
			fail("chdir");
	}
}

static int make_file(const char *name)
{
	static char code[2 * PAGE];
	int fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0755);

	memset(code, 0xc3, sizeof(code));
	if (fd < 0 || write(fd, code, sizeof(code)) != sizeof(code))
		fail(name);
	return fd;
}

static void map_page(int fd, int number)
{
	if (mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, number % 2 * PAGE) ==
	    MAP_FAILED)
		fail("mmap");
}

static void map_all(int process, int nr_mappings, bool has_names)
{
	char first[32], name[32];
	int fd, i;

	snprintf(first, sizeof(first), "f%d", process);
	fd = make_file(first);
	for (i = 0; i < nr_mappings; i++) {
		if (!has_names) {
			map_page(fd, i);
			continue;
		}
		snprintf(name, sizeof(name), "f%d-%d", process, i);
		if (link(first, name) || (close(fd), fd = open(name, O_RDONLY | O_CLOEXEC)) < 0)
			fail(name);
		map_page(fd, i);
	}
}

static FRAME void many_work(void)
{
	spin(MS);
	KEEP_FRAME();
}

/* All together use a quarter of a CPU. */
static void work_in_turn(int nr_processes)
{
	const int rest_ms = 4 * nr_processes;
	const struct timespec rest = {rest_ms / 1000, rest_ms % 1000 * 1000000L};

	for (;;) {
		many_work();
		nanosleep(&rest, NULL);
	}
}

int main(int argc, char **argv)
{
	const int nr_processes = (int)argument(argc, argv, 2, 1);
	const int nr_mappings = (int)argument(argc, argv, 3, 1000);
	const size_t path_bytes = (size_t)argument(argc, argv, 4, 0);
	int ready[2], begin[2], i;
	char byte = 0;

	workload_begin(WORKLOAD_MAX_SECONDS);
	if (argc < 3 || pipe(ready) || pipe(begin))
		return 2;
	go_down(argv[1], path_bytes);
	for (i = 0; i < nr_processes; i++) {
		if (fork())
			continue;
		die_with_parent();
		close(begin[1]);
		map_all(i, nr_mappings, path_bytes > 0);
		if (write(ready[1], &byte, 1) != 1 || read(begin[0], &byte, 1) != 0)
			fail("pipe");
		work_in_turn(nr_processes);
	}
	close(ready[1]);
	for (i = 0; i < nr_processes; i++)
		if (read(ready[0], &byte, 1) != 1)
			fail("read");
	close(begin[1]);
	workload_ready();
	while (!workload_stopped)
		pause();
	return 0;
}
