// SPDX-License-Identifier: GPL-2.0-only
/* Readers of made code obey their files: they take their time, crash, and lie. */
#include "symbols/jit/jit_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "elf/symbol_table.h"
#include "jit_told.h"

#define SECOND	  1000000000ULL
#define ALLOWANCE (1U << 20)

/* ---- readers ---- */

static int tell(const struct reader_task *task, struct jit_told *told, uint64_t left)
{
	const struct jit_answer head = {.left = left, .has_changed = 1};

	return reader__answer(task, &head, sizeof(head)) ||
			       reader__answer(task, told->bytes, told->nr_bytes)
		       ? -EIO
		       : 0;
}

/* The file is one letter. */
static int obey(const struct reader_task *task)
{
	const struct jit_record record = {.start = 0x1000, .size = 16, .name_bytes = 4};
	struct jit_told told = {0};
	char letter;

	if (pread(task->files[0], &letter, 1, 0) != 1)
		return -EIO;
	jit_told__add(&told, &record, "name");
	switch (letter) {
	case 's':
		for (volatile uint64_t i = 0; i < UINT64_MAX; i++)
			;
		break;
	case 'c':
		__builtin_trap();
	case 'e': /* mpty */
		return 0;
	case 'u': /* that it used up more than all may read */
		return tell(task, &told, UINT64_MAX);
	case 'w':
		return tell(task, &told, 0);
	case 'b': /* roken behind the first record */
		jit_told__add(&told, &record, "name");
		told.nr_bytes--;
		break;
	}
	return tell(task, &told, 1);
}

static const struct job_row *find_job(uint32_t job)
{
	static const struct job_row row = {
		"obey",
		0,
		{.max_memory_bytes = 64 << 20, .max_answer_bytes = 1 << 20, .max_seconds = 20},
		obey};

	return job == READ_PERF_MAP ? &row : NULL;
}

/* ---- files ---- */

static struct readers *readers;
static struct jit_round jit_round;

static void begin_round(void)
{
	jit_round.allowance = ALLOWANCE;
	jit_round.left_ns = SECOND;
	jit_round.number++;
}

/* The file is of long ago, so that a change is seen. */
static void write_letter(int fd, char letter)
{
	static const struct timespec times[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};

	EXPECT_EQ(pwrite(fd, &letter, 1, 0), 1);
	EXPECT_EQ(futimens(fd, times), 0);
}

static struct {
	size_t nr;
	int code;
	char path[16];
} told;

static void note_unreadable(void *waiter, const char *path, enum reader_job job, int code)
{
	EXPECT(waiter == &told);
	EXPECT_EQ(job, READ_PERF_MAP);
	told.nr++;
	told.code = code;
	snprintf(told.path, sizeof(told.path), "%s", path);
}

static int open_letter(struct jit_file *file, char letter)
{
	const int fd = memfd_create("letter", MFD_CLOEXEC);

	memset(&told, 0, sizeof(told));
	jit_round.readers = readers;
	jit_round.on_unreadable = note_unreadable;
	jit_round.waiter = &told;
	jit_round.nr_told = 0;
	jit_round.bounds.max_code_bytes = ALLOWANCE;
	write_letter(fd, letter);
	jit_file__init(file, &jit_round, READ_PERF_MAP);
	EXPECT(jit_file__open(file, "letter", fd));
	begin_round();
	return fd;
}

static bool has_name(const struct jit_file *file)
{
	struct found_symbol found;

	return jit_code__find(&file->code, 0x1008, &found) && !strcmp(found.name, "name");
}

static void close_letter(struct jit_file *file)
{
	jit_file__fini(file);
	EXPECT_EQ(jit_round.nr_files, 0);
	EXPECT_EQ(jit_round.bounds.code_bytes, 0);
}

static void test_unchanged(void)
{
	struct jit_file file;
	const int fd = open_letter(&file, 'h');

	EXPECT(jit_file__refresh(&file));
	EXPECT(has_name(&file));
	begin_round();
	EXPECT(!jit_file__refresh(&file));
	EXPECT_EQ(ftruncate(fd, 2), 0);
	EXPECT(jit_file__refresh(&file));
	close_letter(&file);
}

/*
 * A refresh waits no longer than a round allows, nor twice; other files are read in the next round.
 */
static void test_late(void)
{
	struct jit_file late, other;
	uint64_t begin_ns;

	open_letter(&late, 's');
	open_letter(&other, 'h');
	begin_ns = monotonic_ns();
	EXPECT(!jit_file__refresh(&late));
	EXPECT(monotonic_ns() - begin_ns < 10 * SECOND);
	EXPECT(late.reading.readers != NULL);
	EXPECT(!jit_file__refresh(&other));
	begin_round();
	EXPECT(!jit_file__refresh(&late));
	EXPECT_EQ(jit_round.left_ns, SECOND); /* it was not waited for */
	EXPECT(jit_file__refresh(&other));
	EXPECT(has_name(&other));
	jit_file__fini(&late);
	close_letter(&other);
}

/* A file that could not be read once is left alone from then on, even if it is another one. */
static void expect_given_up(char letter, bool is_named)
{
	struct jit_file file;
	const int fd = open_letter(&file, letter);

	jit_file__refresh(&file);
	EXPECT_EQ(has_name(&file), is_named);
	write_letter(fd, 'h');
	EXPECT_EQ(ftruncate(fd, 2), 0);
	begin_round();
	EXPECT(!jit_file__refresh(&file));
	EXPECT(!jit_file__open(&file, "other", memfd_create("other", MFD_CLOEXEC)));
	EXPECT_EQ(has_name(&file), is_named);
	EXPECT_EQ(told.nr, 1);
	EXPECT_EQ(told.code, -EIO);
	EXPECT_STR(told.path, "letter");
	EXPECT_EQ(file.why_unread, -EIO);
	close_letter(&file);
}

static void test_broken(void)
{
	expect_given_up('c', false);
	expect_given_up('e', false);
	expect_given_up('b', true);
}

/* Without a descriptor for the answer the file is read later, and the lack is told. */
static void test_no_descriptor(void)
{
	struct rlimit before, none;
	struct jit_file file;

	open_letter(&file, 'h');
	EXPECT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
	none = (struct rlimit){.rlim_cur = (rlim_t)file.fd + 1, .rlim_max = before.rlim_max};
	EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
	EXPECT(!jit_file__refresh(&file));
	EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
	EXPECT_EQ(told.nr, 1);
	EXPECT_EQ(told.code, -EMFILE);
	EXPECT_EQ(file.why_unread, -EMFILE);
	begin_round();
	EXPECT(jit_file__refresh(&file));
	EXPECT(has_name(&file));
	EXPECT_EQ(file.why_unread, 0);
	EXPECT_EQ(told.nr, 1);
	close_letter(&file);
}

/* A file has no more than its part of the bytes that all may read, whatever its reader says. */
static void test_allowance(void)
{
	struct jit_file file;

	open_letter(&file, 'w');
	EXPECT(jit_file__refresh(&file));
	EXPECT_EQ(jit_round.allowance, ALLOWANCE / 2);
	close_letter(&file);
	open_letter(&file, 'u');
	EXPECT(jit_file__refresh(&file));
	EXPECT_EQ(jit_round.allowance, ALLOWANCE);
	close_letter(&file);
}

int main(void)
{
	static const struct test tests[] = {
		{"a file that has not changed", test_unchanged},
		{"a reader that is late", test_late},
		{"readers that fail", test_broken},
		{"no descriptor", test_no_descriptor},
		{"what a reader has used", test_allowance},
		{0},
	};
	int code;

	if (readers__start(&readers, find_job))
		return 1;
	code = run_tests("jit_file", tests);
	readers__stop(readers);
	return code;
}
