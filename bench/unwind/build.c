// SPDX-License-Identifier: GPL-2.0-only
/* build FILE...: rows of each file's unwind table, their bytes, and the best time of five to build
 * it. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "unwind/unwind.h"

#define ROUNDS 5

static double now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static int measure(const char *path)
{
	struct unwind_table *table = NULL;
	double best = 0, begin, took;
	struct stat status;
	uint32_t nr_rows = 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC), round, code = 0;

	if (fd < 0 || fstat(fd, &status))
		return -1;
	for (round = 0; round < ROUNDS && !code; round++) {
		begin = now_ms();
		code = unwind_table__build(fd, &table);
		took = now_ms() - begin;
		if (code)
			break;
		best = !round || took < best ? took : best;
		unwind_table__rows(table, &nr_rows);
		unwind_table__free(table);
	}
	close(fd);
	if (!code)
		printf("%s %.1f %u %zu %.2f\n", path, (double)status.st_size / 1e6, nr_rows,
		       nr_rows * sizeof(struct unwind_row), best);
	return code;
}

int main(int argc, char **argv)
{
	int i, failed = 0;

	for (i = 1; i < argc; i++)
		if (measure(argv[i])) {
			fprintf(stderr, "build: no table of %s\n", argv[i]);
			failed = 1;
		}
	return failed;
}
