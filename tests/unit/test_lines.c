// SPDX-License-Identifier: GPL-2.0-only
/*
 * Source lines and inlined functions of a program whose lines are known, as compilers, linkers and
 * strippers leave it; and of files that somebody damaged.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <sys/stat.h>

#include "expect.h"
#include "lines/lines.h"
#include "scratch.h"

/* Labels mark addresses: "here" is line 5 of inner, "after" is what follows it, line 6. */
static const char source[] = "volatile int sink;\n"
			     "\n"
			     "static inline __attribute__((always_inline)) void inner(int x)\n"
			     "{\n"
			     "	__asm__ volatile(\"here: nop\\n nop\");\n"
			     "	__asm__ volatile(\"after: nop\");\n"
			     "	sink = x;\n"
			     "}\n"
			     "\n"
			     "static inline __attribute__((always_inline)) void middle(int x)\n"
			     "{\n"
			     "	if (x)\n"
			     "		inner(x);\n"
			     "}\n"
			     "\n"
			     "__attribute__((noinline)) void outer(int x)\n"
			     "{\n"
			     "	sink = 1;\n"
			     "	middle(x + 1);\n"
			     "}\n"
			     "\n"
			     "int main(int argc, char **argv)\n"
			     "{\n"
			     "	(void)argv;\n"
			     "	outer(argc);\n"
			     "	return 0;\n"
			     "}\n";

static uint64_t address_of(const char *symbol, const char *file)
{
	char command[512];
	unsigned long address = 0;
	FILE *out;

	snprintf(command, sizeof(command), "nm '%s' | awk '$3 == \"%s\" { print $1 }'",
		 scratch_path(file), symbol);
	out = popen(command, "r");
	if (!out || fscanf(out, "%lx", &address) != 1)
		fprintf(stderr, "no %s in %s\n", symbol, file);
	if (out)
		pclose(out);
	return address;
}

struct lookup {
	struct lines *lines;
	const char *file;     /* in the scratch directory */
	const char *build_id; /* NULL: none */
	uint64_t address;
	bool is_caller;
};

static size_t find(const struct lookup *asked, struct frame *frames)
{
	const struct frame frame = {.kind = FRAME_USER,
				    .module = "program",
				    .path = scratch_path(asked->file),
				    .build_id = asked->build_id,
				    .function = "symbol",
				    .address = asked->address,
				    .offset = 7,
				    .root = true};

	return lines__find(asked->lines, &frame, asked->is_caller, frames);
}

static void keep(struct lines *lines, const char *file, const char *build_id)
{
	int fd = open(scratch_path(file), O_RDONLY | O_CLOEXEC);

	lines__keep(lines, scratch_path(file), build_id, fd, -1);
	close(fd);
}

/* Asks, waits, asks again. */
static size_t look_up(const struct lookup *asked, struct frame *frames)
{
	EXPECT_EQ(find(asked, frames), 0);
	EXPECT(lines__work(asked->lines, UINT64_MAX));
	return find(asked, frames);
}

static void expect_frame(const struct frame *frame, const char *function, uint32_t line,
			 bool inlined)
{
	const char *slash = frame->file ? strrchr(frame->file, '/') : NULL;

	EXPECT_STR(frame->function, function);
	EXPECT_STR(slash, "/program.c");
	EXPECT_EQ(frame->line, line);
	EXPECT_EQ(frame->inlined, inlined);
	EXPECT_STR(frame->module, "program");
}

/* here: inner, inlined into middle, inlined into what the symbol table calls "symbol". */
static void expect_chain(const struct frame *frames, size_t nr_frames)
{
	EXPECT_EQ(nr_frames, 3);
	if (nr_frames != 3)
		return;
	expect_frame(&frames[0], "inner", 5, true);
	expect_frame(&frames[1], "middle", 13, true);
	expect_frame(&frames[2], "symbol", 19, false);
	EXPECT_EQ(frames[0].address, frames[2].address);
	EXPECT_EQ(frames[0].offset, 0);
	EXPECT_EQ(frames[2].offset, 7);
	EXPECT(!frames[0].root && !frames[1].root && frames[2].root);
}

static void check_program(const char *file, uint64_t address)
{
	const struct lines_options options = {0};
	struct lines *lines = lines__new(&options);
	struct frame frames[MAX_LINE_FRAMES];
	struct lookup asked = {.lines = lines, .file = file, .address = address};
	struct lines_account account;

	keep(lines, file, NULL);
	expect_chain(frames, look_up(&asked, frames));
	lines__account(lines, &account);
	EXPECT_EQ(account.files_read, 1);
	EXPECT_EQ(account.files_failed, 0);
	EXPECT_EQ(account.unread, 0);
	lines__free(lines);
}

/* flags: of the compiler; then: a command afterwards, on "program". */
static void check_build(const char *flags, const char *then)
{
	uint64_t address;

	scratch_run("gcc -O2 -no-pie %s -o program program.c", flags);
	address = address_of("here", "program");
	scratch_run("%s", then);
	check_program("program", address);
}

static void test_versions(void)
{
	check_build("-gdwarf-3", "true");
	check_build("-gdwarf-4", "true");
	check_build("-gdwarf-5", "true");
	check_build("-gdwarf-5 -fPIE -pie", "true");
	check_build("-gdwarf-5 -flto", "true");
}

static void test_compressed(void)
{
	check_build("-g -gz=zlib", "true");
	check_build("-g -gz=zlib-gnu", "true");
}

/* clang leaves out .debug_aranges. */
static void test_clang(void)
{
	scratch_run("clang -O2 -g -o program program.c");
	check_program("program", address_of("here", "program"));
}

static void test_split(void)
{
	check_build("-gdwarf-5 -gsplit-dwarf", "true");
	check_build("-gdwarf-4 -gsplit-dwarf", "true");
	/* Not where it was compiled, but beside the program. */
	check_build("-gdwarf-5 -gsplit-dwarf -fdebug-prefix-map=$PWD=/nowhere", "true");
}

/* What is left is the skeleton: lines, but no functions. */
static void check_without_split(const char *make)
{
	const struct lines_options options = {0};
	struct lines *lines = lines__new(&options);
	struct frame frames[MAX_LINE_FRAMES];
	struct lookup asked = {.lines = lines, .file = "program"};

	scratch_run("gcc -O2 -no-pie -g -gsplit-dwarf -o program program.c && rm -f *.dwo && %s",
		    make);
	asked.address = address_of("here", "program");
	keep(lines, "program", NULL);
	EXPECT_EQ(look_up(&asked, frames), 1);
	expect_frame(&frames[0], "symbol", 5, false);
	lines__free(lines);
	scratch_run("rm -f *.dwo");
}

static void test_without_split(void)
{
	check_without_split("true");
	check_without_split("mkfifo program-program.dwo");
	check_without_split("ln -s /dev/zero program-program.dwo");
	check_without_split("head -c 3000 /dev/urandom > program-program.dwo");
}

/* What the file's owner must not read, he does not get read. */
static void test_rights(void)
{
	const struct lines_options options = {0};
	struct lines *lines = lines__new(&options);
	struct frame frames[MAX_LINE_FRAMES];
	struct lookup asked = {.lines = lines, .file = "program"};

	scratch_run("chmod 755 . && gcc -O2 -no-pie -g -gsplit-dwarf -o program program.c");
	asked.address = address_of("here", "program");
	if (geteuid() == 0) {
		scratch_run("chown nobody program && chmod 600 *.dwo");
		keep(lines, "program", NULL);
		EXPECT_EQ(look_up(&asked, frames), 1);
		lines__free(lines);
		scratch_run("chown nobody *.dwo");
		lines = asked.lines = lines__new(&options);
	}
	keep(lines, "program", NULL);
	expect_chain(frames, look_up(&asked, frames));
	lines__free(lines);
	scratch_run("rm -f *.dwo");
}

static void test_debug_file(void)
{
	check_build("-g -Wl,--build-id=none",
		    "objcopy --only-keep-debug program program.debug && strip program && "
		    "objcopy --add-gnu-debuglink=program.debug program");
}

/* Two programs of one source: what they have in common is in a third file. */
static void test_alternate(void)
{
	scratch_run("gcc -O2 -no-pie -g -o program program.c && "
		    "gcc -O2 -no-pie -g -DTWICE -o second program.c");
	scratch_run("dwz -m $PWD/common.debug program second && "
		    "readelf -S program | grep -q gnu_debugaltlink");
	check_program("program", address_of("here", "program"));
	check_program("second", address_of("here", "second"));
}

static void build_plain(void)
{
	scratch_run("gcc -O2 -no-pie -g -Wl,--build-id=0xabcdef0123 -o program program.c");
}

static void test_caller(void)
{
	const struct lines_options options = {0};
	struct lines *lines = lines__new(&options);
	struct frame frames[MAX_LINE_FRAMES];
	struct lookup leaf = {.lines = lines, .file = "program"}, caller;

	build_plain();
	leaf.address = address_of("after", "program");
	caller = leaf;
	caller.is_caller = true;
	keep(lines, "program", NULL);
	EXPECT_EQ(find(&caller, frames), 0);
	EXPECT_EQ(look_up(&leaf, frames), 3);
	expect_frame(&frames[0], "inner", 6, true);
	expect_chain(frames, find(&caller, frames));
	EXPECT_EQ(frames[0].address, leaf.address);
	lines__free(lines);
}

static void test_no_inlined(void)
{
	const struct lines_options options = {.no_inlined = true};
	struct lines *lines = lines__new(&options);
	struct frame frames[MAX_LINE_FRAMES];
	struct lookup asked = {.lines = lines, .file = "program"};

	build_plain();
	asked.address = address_of("here", "program");
	keep(lines, "program", NULL);
	EXPECT_EQ(look_up(&asked, frames), 1);
	expect_frame(&frames[0], "symbol", 19, false);
	lines__free(lines);
}

static void test_too_big(void)
{
	const struct lines_options options = {.max_bytes = 100};
	struct lines *lines = lines__new(&options);
	struct frame frames[MAX_LINE_FRAMES];
	struct lookup asked = {.lines = lines, .file = "program"};
	struct lines_account account;

	build_plain();
	asked.address = address_of("here", "program");
	keep(lines, "program", NULL);
	EXPECT_EQ(look_up(&asked, frames), 0);
	lines__account(lines, &account);
	EXPECT_EQ(account.files_too_big, 1);
	EXPECT_EQ(account.unread, 0);
	lines__free(lines);
}

/* Nobody kept it: path and build ID have to lead there. */
static void test_by_path(void)
{
	const struct lines_options options = {0};
	struct lines *lines = lines__new(&options);
	struct frame frames[MAX_LINE_FRAMES];
	struct lookup asked = {.lines = lines, .file = "program", .build_id = "abcdef0123"};

	build_plain();
	asked.address = address_of("here", "program");
	expect_chain(frames, look_up(&asked, frames));
	asked.build_id = "abcdef0124";
	EXPECT_EQ(look_up(&asked, frames), 0);
	asked.build_id = NULL;
	EXPECT_EQ(look_up(&asked, frames), 0);
	lines__free(lines);
}

/* Without build IDs it cannot be said which of two files an address is in. */
static void test_replaced(void)
{
	const struct lines_options options = {0};
	struct lines *lines = lines__new(&options);
	struct frame frames[MAX_LINE_FRAMES];
	struct lookup asked = {.lines = lines, .file = "program"};

	scratch_run("gcc -O2 -no-pie -g -Wl,--build-id=none -o program program.c");
	asked.address = address_of("here", "program");
	keep(lines, "program", NULL);
	keep(lines, "program", NULL);
	scratch_run("cp program other && mv other program");
	keep(lines, "program", NULL);
	EXPECT_EQ(look_up(&asked, frames), 0);
	lines__free(lines);
}

/* ---- hostile files ---- */

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

/* Whatever it says, it says so in bounded time, and nobody else crashes. */
static void look_up_damaged(uint64_t address)
{
	const struct lines_options options = {0};
	struct lines *lines = lines__new(&options);
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

/* An address in a file that is more than it seems. */
static void check_bomb(const char *file)
{
	const struct lines_options options = {0};
	struct lines *lines = lines__new(&options);
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

static void kill_children(void)
{
	FILE *file = fopen("/proc/thread-self/children", "r");
	int pid;

	while (file && fscanf(file, "%d", &pid) == 1)
		kill(pid, SIGSEGV);
	if (file)
		fclose(file);
}

/* Whatever happens to the reader happens to nobody else; the file is not read again. */
static bool crash(void)
{
	const struct lines_options options = {0};
	struct lines *lines = lines__new(&options);
	struct frame frames[MAX_LINE_FRAMES];
	struct lookup asked = {.lines = lines, .file = "slow"};
	struct lines_account account;

	asked.address = address_of("main", "slow");
	keep(lines, "slow", NULL);
	find(&asked, frames);
	lines__work(lines, 0);
	kill_children();
	EXPECT(lines__work(lines, UINT64_MAX));
	lines__account(lines, &account);
	EXPECT_EQ(account.unread, 0);
	asked.address++;
	EXPECT_EQ(look_up(&asked, frames), 0);
	lines__free(lines);
	return account.files_failed == 1;
}

/* It may have ended before; not always. */
static void test_crash(void)
{
	bool has_crashed = false;

	scratch_write("slow.s", rows);
	scratch_run("gcc -no-pie -nostdlib -Wl,-e,main -o slow slow.s");
	for (int i = 0; i < 20 && !has_crashed; i++)
		has_crashed = crash();
	EXPECT(has_crashed);
}

/* Freed while a file is read. */
static void test_abandoned(void)
{
	const struct lines_options options = {0};
	struct lines *lines = lines__new(&options);
	struct frame frames[MAX_LINE_FRAMES];
	struct lookup asked = {.lines = lines, .file = "program"};
	struct lines_account account;

	build_plain();
	asked.address = address_of("here", "program");
	keep(lines, "program", NULL);
	find(&asked, frames);
	lines__account(lines, &account);
	EXPECT_EQ(account.unread, 1);
	EXPECT_EQ(lines__reading_ns(lines), 0);
	lines__work(lines, 0);
	while (!lines__reading_ns(lines)) /* one that has ended took time too */
		usleep(100);
	lines__free(lines);
}

int main(void)
{
	static const struct test tests[] = {
		{"DWARF 3 to 5", test_versions},
		{"compressed sections", test_compressed},
		{"units without .debug_aranges", test_clang},
		{"split from the program", test_split},
		{"split, and lost or replaced", test_without_split},
		{"with the rights of the file's owner", test_rights},
		{"a debug file", test_debug_file},
		{"an alternate debug file", test_alternate},
		{"callers are looked up one byte before", test_caller},
		{"without inlined functions", test_no_inlined},
		{"too much debug information", test_too_big},
		{"a file found by path and build ID", test_by_path},
		{"two files of one path", test_replaced},
		{"damaged files", test_damaged},
		{"a tree that is a loop", test_loop},
		{"gigabytes of lines", test_many_rows},
		{"a reader that crashes", test_crash},
		{"abandoned", test_abandoned},
		{0},
	};

	scratch_create();
	scratch_write("program.c", source);
	return run_tests("lines", tests);
}
