// SPDX-License-Identifier: GPL-2.0-only
/*
 * build FILE...: rows of each file's unwind table, their bytes, the best time of five to have it
 * from a reader, checked, and the best of five to build it in one process.
 * build --here FILE: builds its table once, in this process.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "readers/readers.h"
#include "topstacks/interpreter_abi.h"
#include "unwind/unwind.h"

#define ROUNDS 5

static double now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static int read_table(struct readers *readers, int fd, uint32_t *nr_rows)
{
	struct reader_question question;
	struct unwind_table *table = NULL;
	struct reader_answer answer;
	struct reading reading;
	int code = reading__start(&reading, readers, READ_UNWIND, &fd, 1, NULL, 0);

	if (code)
		return code;
	while (reading__wait(&reading, UINT64_MAX, &question) != READING_ENDED)
		;
	code = reading__finish(&reading, &answer);
	if (!code)
		code = unwind_table__view((const struct interpreter *)answer.bytes + 1,
					  answer.nr_bytes - sizeof(struct interpreter), &table);
	if (!code)
		unwind_table__rows(table, nr_rows);
	unwind_table__free(table);
	reader_answer__free(&answer);
	return code;
}

static int build_table(struct readers *readers, int fd, uint32_t *nr_rows)
{
	struct unwind_table *table = NULL;
	const int code = unwind_table__build(fd, &table);

	(void)readers;
	if (!code)
		unwind_table__rows(table, nr_rows);
	unwind_table__free(table);
	return code;
}

/* Negative: it cannot be had. */
static double best_ms(struct readers *readers, int fd, uint32_t *nr_rows,
		      int (*have)(struct readers *readers, int fd, uint32_t *nr_rows))
{
	double best = -1;

	for (int round = 0; round < ROUNDS; round++) {
		const double begin = now_ms();
		const int code = have(readers, fd, nr_rows);
		const double took = now_ms() - begin;

		if (code)
			return -1;
		best = !round || took < best ? took : best;
	}
	return best;
}

static int measure(struct readers *readers, const char *path)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	double read_ms, build_ms;
	struct stat status;
	uint32_t nr_rows = 0;

	if (fd < 0 || fstat(fd, &status))
		return -1;
	read_ms = best_ms(readers, fd, &nr_rows, read_table);
	build_ms = best_ms(readers, fd, &nr_rows, build_table);
	close(fd);
	if (read_ms < 0 || build_ms < 0)
		return -1;
	printf("%s %.1f %u %zu %.2f %.2f\n", path, (double)status.st_size / 1e6, nr_rows,
	       nr_rows * sizeof(struct unwind_row), read_ms, build_ms);
	return 0;
}

static int build_here(const char *path)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	uint32_t nr_rows = 0;
	const int code = fd < 0 ? -1 : build_table(NULL, fd, &nr_rows);

	printf("%u\n", nr_rows);
	return code;
}

int main(int argc, char **argv)
{
	struct readers *readers;
	int failed = 0;

	if (argc == 3 && !strcmp(argv[1], "--here"))
		return build_here(argv[2]) ? 1 : 0;
	if (readers__start(&readers, jobs__find)) {
		fprintf(stderr, "build: no readers\n");
		return 1;
	}
	for (int i = 1; i < argc; i++)
		if (measure(readers, argv[i])) {
			fprintf(stderr, "build: no table of %s\n", argv[i]);
			failed = 1;
		}
	readers__stop(readers);
	return failed;
}
