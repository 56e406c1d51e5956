// SPDX-License-Identifier: GPL-2.0-only
/* Source lines of damaged and made-up files take bounded time, and crash only their reader. */
#include <signal.h>
#include <stdbool.h>
#include <unistd.h>

#include "base/clock.h"
#include "lines_program.h"

static unsigned char *read_program(size_t *nr_bytes)
{
	FILE *file = fopen(scratch_path("program"), "r");
	unsigned char *bytes = malloc(1 << 20);

	*nr_bytes = file ? fread(bytes, 1, 1 << 20, file) : 0;
	if (file)
		fclose(file);
	return bytes;
}

static void write_damaged(const unsigned char *bytes, size_t nr_bytes)
{
	FILE *file = fopen(scratch_path("damaged"), "w");

	if (file) {
		fwrite(bytes, 1, nr_bytes, file);
		fclose(file);
	}
}

/* A damaged file gives any lines, but in bounded time, and crashes only its reader. */
static void look_up_damaged(uint64_t address)
{
	const struct lines_options options = {0};
	struct lines *lines = new_lines(&options);
	struct frame frames[MAX_LINE_FRAMES];
	struct lookup asked = {.lines = lines, .file = "damaged"};
	size_t nr_frames;

	keep(lines, "damaged", NULL);
	for (uint64_t i = 0; i < 64; i++, asked.address = address + i)
		find(&asked, frames);
	EXPECT(lines__work(lines, UINT64_MAX));
	asked.address = address;
	nr_frames = find(&asked, frames);
	for (size_t i = 0; i < nr_frames; i++)
		EXPECT(!frames[i].file || strlen(frames[i].file) < 4096);
	lines__free(lines);
}

static void test_damaged(void)
{
	unsigned char *whole, *bytes;
	uint64_t address;
	size_t nr_bytes;

	scratch_run("gcc -O2 -no-pie -g -o program program.c");
	address = address_of("here", "program");
	whole = read_program(&nr_bytes);
	bytes = malloc(nr_bytes);
	srandom(4711);
	for (int i = 0; i < 80; i++) {
		memcpy(bytes, whole, nr_bytes);
		for (long j = random() % 32; j >= 0; j--) /* most of it is debug information */
			bytes[nr_bytes / 4 + (size_t)random() % (nr_bytes - nr_bytes / 4)] =
				(unsigned char)random();
		write_damaged(bytes, i % 8 ? nr_bytes : nr_bytes - (size_t)random() % 4096);
		look_up_damaged(address);
	}
	free(whole);
	free(bytes);
}

/* A directive of the assembler for each entry: a tree whose last child is followed by its first. */
static const char loop[] = "	.text\n"
			   "	.globl main\n"
			   "main:	nop\n"
			   "	nop\n"
			   ".Lend:\n"
			   "	.section .debug_abbrev,\"\",@progbits\n"
			   "	.uleb128 1, 0x11\n" /* compile_unit with children */
			   "	.byte 1\n"
			   "	.uleb128 0x11, 1, 0x12, 7, 0, 0\n" /* low_pc addr, high_pc data8 */
			   "	.uleb128 2, 0x39\n"		   /* namespace with children */
			   "	.byte 1\n"
			   "	.uleb128 1, 0x13, 0, 0\n" /* sibling ref4 */
			   "	.byte 0\n"
			   "	.section .debug_info,\"\",@progbits\n"
			   ".Lunit:	.long .Lunit_end - .Lunit - 4\n"
			   "	.value 4\n"
			   "	.long 0\n"
			   "	.byte 8\n"
			   "	.uleb128 1\n"
			   "	.quad main\n"
			   "	.quad .Lend - main\n"
			   ".Lspace:	.uleb128 2\n"
			   "	.long .Lspace - .Lunit\n"
			   "	.byte 0, 0\n"
			   ".Lunit_end:\n";

static const char rows[] =
	"	.text\n"
	"	.globl main\n"
	"main:	nop\n"
	"	nop\n"
	".Lend:\n"
	"	.section .debug_abbrev,\"\",@progbits\n"
	"	.uleb128 1, 0x11\n" /* compile_unit without children */
	"	.byte 0\n"
	"	.uleb128 0x11, 1, 0x12, 7, 0x10, 0x17, 0, 0\n" /* low_pc, high_pc, stmt_list */
	"	.byte 0\n"
	"	.section .debug_info,\"\",@progbits\n"
	".Lunit:	.long .Lunit_end - .Lunit - 4\n"
	"	.value 4\n"
	"	.long 0\n"
	"	.byte 8\n"
	"	.uleb128 1\n"
	"	.quad main\n"
	"	.quad .Lend - main\n"
	"	.long 0\n"
	".Lunit_end:\n"
	"	.section .debug_line,\"\",@progbits\n"
	".Lline:	.long .Lline_end - .Lline - 4\n"
	"	.value 4\n"
	"	.long .Lprogram - . - 4\n"
	"	.byte 1, 1, 1, -5, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1\n"
	"	.byte 0\n"	  /* no directories */
	"	.asciz \"a.c\"\n" /* one file */
	"	.byte 0, 0, 0, 0\n"
	".Lprogram:	.byte 0, 9, 2\n" /* set_address main */
	"	.quad main\n"
	"	.fill 12000000, 1, 1\n" /* copy */
	"	.byte 2, 2\n"		/* advance_pc 2 */
	"	.byte 0, 1, 1\n"
	".Lline_end:\n";

/* The address is in a file that is more than it seems. */
static void check_bomb(const char *file)
{
	const struct lines_options options = {0};
	struct lines *lines = new_lines(&options);
	struct frame frames[MAX_LINE_FRAMES];
	struct lookup asked = {.lines = lines, .file = file, .address = address_of("main", file)};
	struct lines_account account;

	keep(lines, file, NULL);
	EXPECT_EQ(look_up(&asked, frames), 0);
	lines__account(lines, &account);
	EXPECT_EQ(account.unread, 0);
	lines__free(lines);
}

static void test_loop(void)
{
	scratch_write("loop.s", loop);
	scratch_run("gcc -no-pie -nostdlib -Wl,-e,main -o loop loop.s");
	check_bomb("loop");
}

/* Each byte is a row of the table of lines, which libdw keeps in some fifty bytes. */
static void test_many_rows(void)
{
	scratch_write("rows.s", rows);
	scratch_run("gcc -no-pie -nostdlib -Wl,-e,main -o rows rows.s");
	check_bomb("rows");
	scratch_run("rm rows rows.s");
}

/* Signals the readers, which are children of the process that forks them. */
static void signal_readers(int signal_number)
{
	char path[64];
	FILE *file = fopen("/proc/thread-self/children", "r");
	int spawner = 0, reader;

	if (file && fscanf(file, "%d", &spawner) != 1)
		spawner = 0;
	if (file)
		fclose(file);
	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", spawner, spawner);
	file = fopen(path, "r");
	while (file && fscanf(file, "%d", &reader) == 1)
		kill(reader, signal_number);
	if (file)
		fclose(file);
}

/* A reader is at work, or was: it is there to be signalled, however long it took to be started. */
static void start_reading(struct lines *lines)
{
	while (!lines__work(lines, 0) && !lines__reading_ns(lines))
		usleep(100);
}

/* A crash harms the reader alone; the file is not read again. */
static bool crash(void)
{
	const struct lines_options options = {0};
	struct lines *lines = new_lines(&options);
	struct frame frames[MAX_LINE_FRAMES];
	struct lookup asked = {.lines = lines, .file = "slow"};
	struct lines_account account;

	asked.address = address_of("main", "slow");
	keep(lines, "slow", NULL);
	find(&asked, frames);
	start_reading(lines);
	signal_readers(SIGSEGV);
	EXPECT(lines__work(lines, UINT64_MAX));
	lines__account(lines, &account);
	EXPECT_EQ(account.unread, 0);
	asked.address++;
	EXPECT_EQ(look_up(&asked, frames), 0);
	lines__free(lines);
	return account.files_failed == 1;
}

/* The reader may have ended before the signal; not always. */
static void test_crash(void)
{
	bool has_crashed = false;

	scratch_write("slow.s", rows);
	scratch_run("gcc -no-pie -nostdlib -Wl,-e,main -o slow slow.s");
	for (int i = 0; i < 20 && !has_crashed; i++)
		has_crashed = crash();
	EXPECT(has_crashed);
}

/* Asks for an address in the slow file. */
static struct lines *ask_slow(const struct lines_options *options)
{
	struct lines *lines = new_lines(options);
	struct frame frames[MAX_LINE_FRAMES];
	struct lookup asked = {.lines = lines, .file = "slow"};

	asked.address = address_of("main", "slow");
	keep(lines, "slow", NULL);
	find(&asked, frames);
	return lines;
}

/*
 * Works in slices, as a caller that listens to signals does. A longer wait is a hang, however busy
 * the machine is.
 */
static void work_in_slices(struct lines *lines)
{
	const uint64_t deadline_ns = monotonic_ns() + 120000000000ULL;
	bool is_done = false;

	while (!is_done && monotonic_ns() < deadline_ns)
		is_done = lines__work(lines, monotonic_ns() + 50000000);
	EXPECT(is_done);
}

/* The reader stops, as one does if its file system does not answer. */
static bool fall_silent(void)
{
	struct lines *lines = ask_slow(&(struct lines_options){0});
	struct lines_account account;

	start_reading(lines);
	signal_readers(SIGSTOP);
	work_in_slices(lines);
	lines__account(lines, &account);
	lines__free(lines);
	return account.files_silent == 1;
}

/* The file is given up soon. */
static void test_silent(void)
{
	bool was_silent = false;

	for (int i = 0; i < 20 && !was_silent; i++)
		was_silent = fall_silent();
	EXPECT(was_silent);
}

/* A file has so little CPU time that its reader fails. */
static void test_max_cpu(void)
{
	struct lines *lines = ask_slow(&(struct lines_options){.max_cpu_ns = 1});
	struct lines_account account;

	work_in_slices(lines);
	lines__account(lines, &account);
	EXPECT_EQ(account.files_failed, 1);
	EXPECT_EQ(account.files_read, 0);
	lines__free(lines);
}

int main(void)
{
	static const struct test tests[] = {
		{"damaged files", test_damaged},
		{"a tree that is a loop", test_loop},
		{"gigabytes of lines", test_many_rows},
		{"a reader that crashes", test_crash},
		{"a reader that is silent", test_silent},
		{"a reader that takes too long", test_max_cpu},
		{0},
	};

	return run_lines_tests("lines_damaged", tests);
}
