// SPDX-License-Identifier: GPL-2.0-only
/*
 * Symbols stay within their bound of memory: files that are many times larger together are read
 * again and again, and every name is right each time.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/clock.h"
#include "expect.h"
#include "readers/readers.h"
#include "scratch.h"
#include "symbols/symbols.h"

#define PID	  0x40000000 /* above every pid_max */
#define PLACE	  0x7f0000000000ULL
#define NR_FILES  24
#define NR_ROUNDS 3
#define MAX_BYTES (2U << 20)

static struct symbols *symbols;
static struct readers *readers;
static char prefix[200]; /* of all names, to make them long */
static size_t nr_told;
static int told; /* the last one */

static void on_unreadable(void *waiter, const char *path, enum reader_job job, int code)
{
	(void)waiter;
	(void)path;
	(void)job;
	nr_told++;
	told = code;
}

static void begin(size_t max_bytes)
{
	struct symbols_options options = {.max_bytes = max_bytes, .on_unreadable = on_unreadable};

	nr_told = 0;
	EXPECT_EQ(readers__start(&readers, jobs__find), 0);
	options.readers = readers;
	symbols = symbols__new(&options);
}

static void end(void)
{
	symbols__free(symbols);
	readers__stop(readers);
}

/* Files of 2,000 functions each, 16 bytes apart at the start of the code: some 500 kB of names. */
static void build_files(void)
{
	scratch_create();
	memset(prefix, 'n', sizeof(prefix) - 1);
	scratch_write("program.s", ".altmacro\n"
				   ".macro function number\n"
				   ".globl NAME\\number\n.type NAME\\number, @function\n"
				   "NAME\\number: .skip 16, 0x90\n.size NAME\\number, 16\n"
				   ".endm\n"
				   ".text\n.globl _start\n_start:\n.set i, 0\n"
				   ".rept 2000\nfunction %i\n.set i, i + 1\n.endr\n");
	scratch_run("sed -i 's/NAME/%s/g' program.s && "
		    "cc -nostdlib -static -no-pie -Wl,-Ttext=0x401000 "
		    "-Wl,-z,max-page-size=4096 -o file0 program.s",
		    prefix);
	for (int i = 1; i < NR_FILES; i++)
		scratch_run("cp file0 file%d", i);
}

static void tell(enum process_event_type type, int number, const struct mapping *mapping)
{
	const struct process_event event = {
		.type = type, .pid = PID + number, .time_ns = monotonic_ns(), .mapping = *mapping};

	symbols__observe(symbols, &event);
}

/* A process that runs the file. */
static void run_file(int number)
{
	struct mapping mapping = {.start = PLACE, .end = PLACE + 0x8000, .offset = 0x1000};
	struct stat status;
	char name[32];

	snprintf(name, sizeof(name), "file%d", number);
	mapping.path = scratch_path(name);
	EXPECT_EQ(stat(mapping.path, &status), 0);
	mapping.inode = status.st_ino;
	mapping.major = major(status.st_dev);
	mapping.minor = minor(status.st_dev);
	tell(PROCESS_EXECED, number, &mapping);
	tell(PROCESS_MAPPED, number, &mapping);
}

/* The function at some place of the file's code is called by the place's number. */
static bool is_named(int number, int function)
{
	const struct process process = {
		.pid = PID + number, .start_ns = 5, .seen_ns = monotonic_ns()};
	struct frame frame;
	char wanted[256];

	snprintf(wanted, sizeof(wanted), "%s%d", prefix, function);
	symbols__resolve(symbols, symbols__image(symbols, &process),
			 PLACE + 16 * (uint64_t)function + 3, false, &frame);
	return frame.function && !strcmp(frame.function, wanted);
}

static void test_bound(void)
{
	size_t most = 0, nr_wrong = 0, bytes;

	begin(MAX_BYTES);
	for (int i = 0; i < NR_FILES; i++)
		run_file(i);
	for (int round = 0; round < NR_ROUNDS; round++) {
		for (int i = 0; i < NR_FILES; i++) {
			/* Ever other functions, so that the names that are shown grow as well. */
			for (int j = 0; j < 200; j++)
				nr_wrong += !is_named(i, (i * 200 + j) % 2000);
			symbols__forget(symbols, 1);
			bytes = symbols__memory_bytes(symbols);
			most = bytes > most ? bytes : most;
		}
	}
	EXPECT_EQ(nr_wrong, 0);
	EXPECT(most <= MAX_BYTES);
	EXPECT(most > MAX_BYTES / 4); /* it uses its bound */
	end();
}

/* However much a single drain brings. */
static void test_within_a_drain(void)
{
	size_t most = 0, nr_wrong = 0, bytes;

	begin(MAX_BYTES);
	for (int i = 0; i < NR_FILES; i++) {
		run_file(i);
		for (int j = 0; j < 2000; j++) {
			nr_wrong += !is_named(i, j);
			bytes = symbols__memory_bytes(symbols);
			most = bytes > most ? bytes : most;
		}
	}
	EXPECT_EQ(nr_wrong, 0);
	EXPECT(most <= MAX_BYTES + MAX_BYTES / 10);
	end();
}

/* Without a bound that matters nothing is dropped. */
static void test_room_for_all(void)
{
	begin(0);
	for (int i = 0; i < NR_FILES; i++) {
		run_file(i);
		EXPECT(is_named(i, 7));
	}
	symbols__forget(symbols, 1);
	EXPECT(symbols__memory_bytes(symbols) > (size_t)NR_FILES * 2000 * sizeof(prefix));
	end();
}

/* A file whose symbols alone are too much has none, which is said once; others keep theirs. */
static void test_too_large(void)
{
	begin(300 << 10);
	run_file(0);
	EXPECT(!is_named(0, 7));
	EXPECT(nr_told == 1 && told == -EFBIG);
	EXPECT(!is_named(0, 8));
	EXPECT_EQ(nr_told, 1);
	symbols__forget(symbols, 1);
	EXPECT(symbols__memory_bytes(symbols) <= 300 << 10);
	end();
}

int main(void)
{
	static const struct test tests[] = {
		{"many files within a bound", test_bound},
		{"much within a drain", test_within_a_drain},
		{"room for all", test_room_for_all},
		{"a file that is too large", test_too_large},
		{0},
	};

	build_files();
	return run_tests("symbol_memory", tests);
}
