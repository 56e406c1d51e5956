// SPDX-License-Identifier: GPL-2.0-only
/*
 * Debug information may be of functions that are not in the program: the linker dropped them, or
 * made one function of equal ones. The code that runs has its own lines all the same. Each linker
 * leaves another address behind.
 */
#include "lines_program.h"

/*
 * The function is larger than all that is before the code in a file, so that [0, size) would hold
 * the code that runs.
 */
static const char dropped_source[] =
	"#define A(k) n = n * (69069 + k) + (n >> 7);\n"
	"#define B(k) A(k) A(k + 1) A(k + 2) A(k + 3) A(k + 4) A(k + 5) A(k + 6) A(k + 7)\n"
	"#define C(k) B(k) B(k + 8) B(k + 16) B(k + 24) B(k + 32) B(k + 40) B(k + 48) B(k + 56)\n"
	"#define D(k) C(k) C(k + 64) C(k + 128) C(k + 192) C(k + 256) C(k + 320)\n"
	"static inline __attribute__((always_inline)) unsigned step(unsigned n)\n"
	"{\n"
	"	D(1) D(501)\n"
	"	return n;\n"
	"}\n"
	"unsigned dropped(unsigned n)\n"
	"{\n"
	"	return step(n);\n"
	"}\n";

/* The function that runs, in a unit with another one that is dropped. */
static const char runs_source[] = "#define dropped dropped_too\n"
				  "#include \"dropped.c\"\n"
				  "volatile unsigned sink;\n"
				  "__attribute__((noinline)) void runs(unsigned n)\n"
				  "{\n"
				  "	sink = n;\n"
				  "	__asm__ volatile(\"here: nop\");\n"
				  "}\n"
				  "int main(int argc, char **argv)\n"
				  "{\n"
				  "	(void)argv;\n"
				  "	runs((unsigned)argc);\n"
				  "	return 0;\n"
				  "}\n";

/* Equal functions, with one of them in the same unit, or in another one. */
static const char equal_source[] =
	"#define BODY { return (n * 69069 + (n >> 7)) * 41 + (n >> 3); }\n"
	"__attribute__((noinline)) unsigned twin_b(unsigned n)\n"
	"BODY\n"
	"__attribute__((noinline)) unsigned twin_c(unsigned n)\n"
	"BODY\n"
	"#ifndef APART\n"
	"__attribute__((noinline)) unsigned twin_a(unsigned n)\n"
	"BODY\n"
	"#endif\n"
	"unsigned twin_a(unsigned n);\n"
	"unsigned (*volatile twins[])(unsigned) = {twin_a, twin_b, twin_c};\n"
	"int main(int argc, char **argv)\n"
	"{\n"
	"	(void)argv;\n"
	"	return (int)twins[argc % 3]((unsigned)argc);\n"
	"}\n";

static const char apart_source[] = "unsigned twin_a(unsigned n)\n"
				   "{ return (n * 69069 + (n >> 7)) * 41 + (n >> 3); }\n"
				   "unsigned other(unsigned n) { return n * 17 + 3; }\n";

static size_t places_at(uint64_t address, struct frame *frames, struct lines **lines)
{
	const struct lines_options options = {0};
	struct lookup asked = {.file = "program", .address = address};

	*lines = asked.lines = new_lines(&options);
	keep(*lines, "program", NULL);
	return look_up(&asked, frames);
}

static void expect_line(uint64_t address, const char *file, uint32_t line, const char *how)
{
	struct frame frames[MAX_LINE_FRAMES];
	struct lines *lines;
	const size_t nr = places_at(address, frames, &lines);
	const char *slash = nr == 1 && frames[0].file ? strrchr(frames[0].file, '/') : NULL;

	if (!slash || strcmp(slash + 1, file) != 0 || frames[0].line != line)
		fprintf(stderr, "%s: %zu places, %s:%u\n", how, nr, slash ? slash : "?",
			nr ? frames[0].line : 0);
	EXPECT_EQ(nr, 1);
	EXPECT_STR(slash ? slash + 1 : NULL, file);
	EXPECT_EQ(nr ? frames[0].line : 0, line);
	lines__free(lines);
}

/*
 * A unit that was dropped as a whole comes first; the unit with the code that runs has a dropped
 * function, too.
 */
static void check_dropped(const char *compiler, const char *flags)
{
	char how[256];

	snprintf(how, sizeof(how), "%s %s", compiler, flags);
	scratch_run("rm -f *.dwo && %s -O2 -g -ffunction-sections -Wl,--gc-sections %s "
		    "-o program dropped.c runs.c",
		    compiler, flags);
	expect_line(address_of("here", "program"), "runs.c", 7, how);
}

static void test_dropped(void)
{
	static const char *const compilers[] = {"gcc", "clang"};
	static const char *const linkers[] = {"bfd", "gold", "lld", "mold"};
	static const char *const flags[] = {"-gdwarf-4", "-gdwarf-5 -gsplit-dwarf -gz",
					    "-gdwarf-5 -no-pie"};

	for (size_t i = 0; i < 2; i++)
		for (size_t j = 0; j < 4; j++)
			for (size_t k = 0; k < 3; k++) {
				char all[128];

				snprintf(all, sizeof(all), "-fuse-ld=%s %s", linkers[j], flags[k]);
				check_dropped(compilers[i], all);
			}
}

/* One segment with code, from the beginning of the file on. */
static void test_code_from_zero(void)
{
	check_dropped("gcc", "-Wl,-z,noseparate-code");
	check_dropped("clang", "-Wl,-z,noseparate-code -gdwarf-4");
}

/* The split debug information is in a package; .dwo files are not where they are looked for. */
static void test_package(void)
{
	static const char *const linkers[] = {"bfd", "gold", "lld", "mold"};
	static const char *const builds[][2] = {{"gcc -gdwarf-4", "dwp"},
						{"clang -gdwarf-4", "dwp"},
						{"clang -gdwarf-5", "llvm-dwp"}};

	for (size_t i = 0; i < 3; i++) {
		scratch_run("mkdir -p parts && cd parts && rm -f *.dwo && "
			    "%s -O2 -gsplit-dwarf -ffunction-sections -c ../dropped.c ../runs.c && "
			    "%s *.dwo -o ../program.dwp",
			    builds[i][0], builds[i][1]);
		for (size_t j = 0; j < 4; j++) {
			scratch_run("%s -fuse-ld=%s -Wl,--gc-sections -o program parts/*.o",
				    builds[i][0], linkers[j]);
			expect_line(address_of("here", "program"), "runs.c", 7, builds[i][0]);
		}
	}
	scratch_run("rm -r parts program.dwp");
}

static void test_debug_file(void)
{
	scratch_run("gcc -O2 -g -ffunction-sections -Wl,--gc-sections,--build-id=none -o whole "
		    "dropped.c runs.c && objcopy --only-keep-debug whole program.debug && "
		    "strip -o program whole && "
		    "objcopy --add-gnu-debuglink=program.debug program");
	expect_line(address_of("here", "whole"), "runs.c", 7, "debug file");
}

/*
 * Where functions are one, the line is that of the name that symbols have, the first one in the
 * alphabet.
 */
static void check_equal(const char *sources, const char *file, uint32_t line)
{
	static const char *const compilers[] = {"gcc -fno-ipa-icf -gdwarf-4",
						"gcc -fno-ipa-icf -gdwarf-5", "clang -gdwarf-4",
						"clang -gdwarf-5"};

	for (size_t i = 0; i < 4; i++) {
		scratch_run("%s -O2 -no-pie -ffunction-sections -fuse-ld=gold "
			    "-Wl,--gc-sections,--icf=all "
			    "-o program %s",
			    compilers[i], sources);
		EXPECT_EQ(address_of("twin_a", "program"), address_of("twin_b", "program"));
		expect_line(address_of("twin_a", "program") + 6, file, line, compilers[i]);
	}
}

static void test_equal(void)
{
	check_equal("equal.c", "equal.c", 8);
}

static void test_equal_units(void)
{
	check_equal("-DAPART equal.c apart.c", "apart.c", 2);
	check_equal("-DAPART apart.c equal.c", "apart.c", 2);
}

int main(void)
{
	static const struct test tests[] = {
		{"of what the linker dropped", test_dropped},
		{"where code begins with the file", test_code_from_zero},
		{"in a package of split files", test_package},
		{"in a debug file", test_debug_file},
		{"of equal functions that became one", test_equal},
		{"of equal functions in two units", test_equal_units},
		{0},
	};
	int code;

	scratch_create();
	scratch_write("dropped.c", dropped_source);
	scratch_write("runs.c", runs_source);
	scratch_write("equal.c", equal_source);
	scratch_write("apart.c", apart_source);
	if (readers__start(&readers, jobs__find))
		return 1;
	code = run_tests("dropped_code", tests);
	readers__stop(readers);
	return code;
}
