// SPDX-License-Identifier: GPL-2.0-only
/*
 * Source lines and inlined functions of a program whose lines are known, as compilers, linkers and
 * strippers leave it.
 */
#include <sys/resource.h>

#include "lines_program.h"

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

/*
 * here: inner is inlined into middle, and that into the function that the symbol table calls
 * "symbol".
 */
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
	struct lines *lines = new_lines(&options);
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

/* The .dwo file is where the compiler put it, below the directory of the program. */
static void test_split_below(void)
{
	uint64_t address;

	scratch_run("rm -f *.dwo && mkdir objects && "
		    "gcc -O2 -no-pie -gdwarf-5 -gsplit-dwarf -c -o objects/one.o program.c && "
		    "gcc -no-pie -o program objects/one.o");
	address = address_of("here", "program");
	check_program("program", address);
	scratch_run("rm -r objects");
}

/*
 * The .dwo files of two units are gone: the program's unit is the second one in the package.
 * binutils' tool is for DWARF 4, that of LLVM 14 has no DWARF 5 of gcc.
 */
static void test_package(void)
{
	static const struct {
		const char *compiler, *packager;
	} builds[] = {
		{"gcc -gdwarf-4", "dwp"},
		{"gcc -gdwarf-4", "llvm-dwp"},
		{"clang -gdwarf-4", "dwp"},
		{"clang -gdwarf-4", "llvm-dwp"},
		{"clang -gdwarf-5", "llvm-dwp"},
		{"clang -gdwarf-5 -fdebug-types-section", "llvm-dwp"},
	};

	scratch_write("other.c", "static inline int twice(int n) { return 2 * n; }\n"
				 "int other(int n) { return twice(n); }\n");
	for (size_t i = 0; i < sizeof(builds) / sizeof(builds[0]); i++) {
		scratch_run("rm -f *.dwo *.dwp && "
			    "%s -O2 -g -gsplit-dwarf -ffunction-sections -no-pie -c other.c "
			    "program.c && "
			    "%s -no-pie -o program other.o program.o && "
			    "%s -e program -o program.dwp && rm *.dwo *.o",
			    builds[i].compiler, builds[i].compiler, builds[i].packager);
		check_program("program", address_of("here", "program"));
	}
	scratch_run("objcopy --compress-debug-sections program.dwp");
	check_program("program", address_of("here", "program"));
	scratch_run("rm program.dwp");
}

/* The skeleton is left: lines, but no functions. */
static void check_without_split(const char *make)
{
	const struct lines_options options = {0};
	struct lines *lines = new_lines(&options);
	struct frame frames[MAX_LINE_FRAMES];
	struct lookup asked = {.lines = lines, .file = "program"};

	scratch_run("gcc -O2 -no-pie -g -gsplit-dwarf -o program program.c && rm -f *.dwo && %s",
		    make);
	asked.address = address_of("here", "program");
	keep(lines, "program", NULL);
	EXPECT_EQ(look_up(&asked, frames), 1);
	expect_frame(&frames[0], "symbol", 5, false);
	lines__free(lines);
	scratch_run("rm -f *.dwo *.dwp");
}

static void test_without_split(void)
{
	check_without_split("true");
	check_without_split("mkfifo program-program.dwo");
	check_without_split("ln -s /dev/zero program-program.dwo");
	check_without_split("head -c 3000 /dev/urandom > program-program.dwo");
	check_without_split("mkfifo program.dwp");
	check_without_split("ln -sf /dev/zero program.dwp");
	check_without_split("head -c 3000 /dev/urandom > program.dwp");
	check_without_split("cp --remove-destination program program.dwp");
}

/* A split file that the program's owner must not read is not read for him. */
static void test_rights(void)
{
	const struct lines_options options = {0};
	struct lines *lines = new_lines(&options);
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
		lines = asked.lines = new_lines(&options);
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

/* The common part of two programs of one source is in a third file. */
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
	struct lines *lines = new_lines(&options);
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
	struct lines *lines = new_lines(&options);
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
	struct lines *lines = new_lines(&options);
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

/* The file was not kept: path and build ID have to lead there. */
static void test_by_path(void)
{
	const struct lines_options options = {0};
	struct lines *lines = new_lines(&options);
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
	struct lines *lines = new_lines(&options);
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

/* A reader that cannot start is no fault of the file, and is told as such. */
static void test_not_started(void)
{
	const struct lines_options options = {0};
	struct lines *lines = new_lines(&options);
	struct frame frames[MAX_LINE_FRAMES];
	struct lookup asked = {.lines = lines, .file = "program"};
	struct lines_account account;
	struct rlimit before, none;

	build_plain();
	asked.address = address_of("here", "program");
	keep(lines, "program", NULL);
	EXPECT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
	none = before;
	none.rlim_cur = 3;
	EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
	EXPECT_EQ(look_up(&asked, frames), 0);
	EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
	lines__account(lines, &account);
	EXPECT_EQ(account.files_not_started, 1);
	EXPECT_EQ(account.files_failed, 0);
	lines__free(lines);
}

/* The lines are freed while a file is read. */
static void test_abandoned(void)
{
	const struct lines_options options = {0};
	struct lines *lines = new_lines(&options);
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
	while (!lines__work(lines, 0) && !lines__reading_ns(lines))
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
		{"split into a directory", test_split_below},
		{"of a package of split files", test_package},
		{"split, and lost or replaced", test_without_split},
		{"with the rights of the file's owner", test_rights},
		{"a debug file", test_debug_file},
		{"an alternate debug file", test_alternate},
		{"callers are looked up one byte before", test_caller},
		{"without inlined functions", test_no_inlined},
		{"too much debug information", test_too_big},
		{"a file found by path and build ID", test_by_path},
		{"two files of one path", test_replaced},
		{"no descriptors", test_not_started},
		{"abandoned", test_abandoned},
		{0},
	};

	return run_lines_tests("lines", tests);
}
