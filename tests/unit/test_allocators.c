// SPDX-License-Identifier: GPL-2.0-only
/*
 * A running process calls the malloc of one file, by its loader's own word, and some files tell of
 * their allocations.
 */
#include "capture/probes/allocators.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "expect.h"
#include "readers/readers.h"
#include "scratch.h"

static const char program[] =
	"#define _GNU_SOURCE\n"
	"#include <dlfcn.h>\n"
	"#include <stdio.h>\n"
	"#include <stdlib.h>\n"
	"#include <unistd.h>\n"
	"int main(void)\n"
	"{\n"
	"	void *(*volatile function)(size_t) = malloc;\n"
	"	void (*volatile other)(void *) = free;\n"
	"	Dl_info info;\n"
	"	other(function(1));\n"
	"	puts(dladdr((void *)function, &info) ? info.dli_fname : \"itself\");\n"
	"	fflush(stdout);\n"
	"	pause();\n"
	"}\n";

/* Gives out memory, and never takes it back. */
static const char allocator[] =
	"#include <stddef.h>\n"
	"static char memory[1 << 22] __attribute__((aligned(16)));\n"
	"static size_t used;\n"
	"void *malloc(size_t size)\n"
	"{ void *block = memory + used; used += (size + 15) & ~15UL; return block; }\n"
	"void free(void *block) { (void)block; }\n"
	"void *calloc(size_t nr, size_t size) { return malloc(nr * size); }\n"
	"void *realloc(void *block, size_t size)\n"
	"{\n"
	"	char *to = malloc(size);\n"
	"	const char *from = block;\n"
	"	for (size_t i = 0; from && i < size; i++)\n"
	"		to[i] = from[i];\n"
	"	return to;\n"
	"}\n";

static const char teller[] =
	"#include <stdint.h>\n"
	"#include <sys/sdt.h>\n"
	"void tell_alloc(void *block, uint64_t size, uint64_t bytes, uint64_t told)\n"
	"{\n"
	"	DTRACE_PROBE4(otel_memory, alloc, block, size, bytes, told);\n"
	"	DTRACE_PROBE3(otel_memory, alloc, block, size, 524288);\n"
	"}\n"
	"void tell_free(void *block) { DTRACE_PROBE1(otel_memory, free, block); }\n"
	"void tell_double(double bytes, void *block)\n"
	"{ DTRACE_PROBE3(otel_memory, alloc, block, block, bytes); DTRACE_PROBE(otel_memory, "
	"more); }\n";

/* The program writes a line to standard output, and then does nothing. */
static const char nobody[] =
	"__asm__(\".globl _start\\n_start:\\n\"\n"
	"#ifdef __x86_64__\n"
	"	\"mov $1, %eax\\nmov $1, %edi\\nlea line(%rip), %rsi\\nmov $1, %edx\\nsyscall\\n1: "
	"jmp 1b\\n\"\n"
	"#else\n"
	"	\"mov x8, 64\\nmov x0, 1\\nadr x1, line\\nmov x2, 1\\nsvc 0\\n1: b 1b\\n\"\n"
	"#endif\n"
	"	\"line: .ascii \\\"\\\\n\\\"\\n\");\n";

/* ---- processes ---- */

struct child {
	pid_t pid;
	char said[PATH_MAX]; /* the file whose malloc it calls */
};

/* preload "": none. */
static struct child start(const char *name, const char *preload)
{
	struct child child = {0};
	int pipes[2];
	FILE *out;

	if (pipe(pipes))
		abort();
	child.pid = fork();
	if (!child.pid) {
		dup2(pipes[1], 1);
		close(pipes[0]);
		setenv("LD_PRELOAD", preload, 1);
		execl(scratch_path(name), name, NULL);
		_exit(1);
	}
	close(pipes[1]);
	out = fdopen(pipes[0], "r");
	if (fgets(child.said, sizeof(child.said), out))
		child.said[strcspn(child.said, "\n")] = '\0';
	fclose(out);
	return child;
}

static void stop(const struct child *child)
{
	kill(child->pid, SIGKILL);
	waitpid(child->pid, NULL, 0);
}

static struct readers *readers;
static struct allocators allocators;
static struct error err;

static const struct allocator *look_at(const struct child *child)
{
	allocators__close(&allocators);
	err = (struct error){0};
	EXPECT_EQ(allocators__find(&allocators, child->pid, NULL, readers, &err), 0);
	return allocators__with_malloc(&allocators, child->pid, &err);
}

/* ---- the file whose malloc is called ---- */

static void expect_malloc(const char *name, const char *preload, bool is_program)
{
	struct child child = start(name, preload);
	const struct allocator *found = look_at(&child);
	char said[PATH_MAX] = "", path[PATH_MAX] = "";

	EXPECT(found != NULL);
	if (found) {
		EXPECT_EQ(found->is_program, is_program);
		EXPECT(realpath(found->path, path) &&
		       realpath(is_program ? scratch_path(name) : child.said, said));
		EXPECT_STR(path, said);
		EXPECT(!allocators__tell(&allocators));
	}
	stop(&child);
}

static const char *preload_of(const char *first, const char *second)
{
	static char text[PATH_MAX];

	snprintf(text, sizeof(text), "%s %s", scratch_path(first), scratch_path(second));
	return text;
}

static void test_malloc(void)
{
	scratch_run("gcc -O1 -o plain program.c");
	scratch_run("gcc -O1 -fno-builtin -o own program.c allocator.c");
	scratch_run("gcc -O1 -fno-builtin -fvisibility=hidden -o hidden program.c allocator.c");
	scratch_run("gcc -O1 -static -o static program.c 2>/dev/null");
	scratch_run("gcc -O1 -fno-builtin -shared -fPIC -o libone.so allocator.c && cp libone.so "
		    "libtwo.so");
	scratch_run("gcc -O1 -o linked program.c -L. -lone -Wl,-rpath,'$ORIGIN'");
	expect_malloc("plain", "", false);
	expect_malloc("own", "", true);
	expect_malloc("hidden", "", true);
	expect_malloc("static", "", true);
	expect_malloc("linked", "", false);
	expect_malloc("plain", scratch_path("libone.so"), false);
	expect_malloc("linked", scratch_path("libtwo.so"), false);
	expect_malloc("plain", preload_of("libone.so", "libtwo.so"), false);
	expect_malloc("plain", preload_of("libtwo.so", "libone.so"), false);
	scratch_run("strip plain own libone.so");
	expect_malloc("plain", "", false);
	expect_malloc("own", "", true);
	expect_malloc("linked", "", false);
}

static void test_none(void)
{
	struct child child;

	scratch_run("gcc -O1 -nostdlib -static -fno-stack-protector -o nobody nobody.c");
	child = start("nobody", "");
	EXPECT(look_at(&child) == NULL);
	EXPECT_EQ(allocators.nr, 0);
	EXPECT_EQ(err.exit_code, EXIT_SYSTEM);
	EXPECT(strstr(err.text, "no malloc in process") != NULL);
	stop(&child);
	allocators__close(&allocators);
	EXPECT_EQ(allocators__find(&allocators, child.pid, NULL, readers, &err), -ESRCH);
	EXPECT(strstr(err.text, "cannot see what process") != NULL);
}

/* ---- files that tell ---- */

static void test_tellers(void)
{
	const struct allocator_file *said = NULL;
	struct child child;
	uint32_t nr_told = 0;

	scratch_run("gcc -O1 -o plain program.c");
	scratch_run("gcc -O1 -shared -fPIC -o libteller.so teller.c");
	child = start("plain", scratch_path("libteller.so"));
	EXPECT(look_at(&child) != NULL);
	EXPECT(allocators__tell(&allocators));
	for (size_t i = 0; i < allocators.nr; i++)
		if (allocators.list[i].said.nr_sites)
			said = &allocators.list[i].said;
	EXPECT(said != NULL);
	if (said) {
		EXPECT_EQ(said->nr_sites, 3);
		EXPECT_EQ(said->nr_unusable, 1);
		for (size_t i = 0; i < said->nr_sites; i++)
			nr_told += said->sites[i].arguments.told.size > 0;
		EXPECT_EQ(nr_told, 1);
		EXPECT_EQ(said->sites[2].probe, ALLOCATOR_TELLS_FREE);
		EXPECT_EQ(said->sites[1].arguments.bytes.number, 524288);
	}
	stop(&child);
}

/* ---- answers of anybody's ---- */

static void test_answers(void)
{
	struct allocator_file said = {.nr_sites = 1};
	struct alloc_site *arguments = &said.sites[0].arguments;

	EXPECT(allocator_file__is_valid(&said, sizeof(said)));
	EXPECT(!allocator_file__is_valid(&said, sizeof(said) - 1));
	arguments->told = (struct probe_argument){
		.kind = PROBE_ARGUMENT_REGISTER, .size = 8, .register_offset = 112};
	EXPECT(allocator_file__is_valid(&said, sizeof(said)));
	arguments->told.register_offset = 65528;
	EXPECT(!allocator_file__is_valid(&said, sizeof(said)));
	arguments->told.register_offset = 111;
	EXPECT(!allocator_file__is_valid(&said, sizeof(said)));
	arguments->told = (struct probe_argument){.kind = PROBE_ARGUMENT_CONSTANT, .size = 3};
	EXPECT(!allocator_file__is_valid(&said, sizeof(said)));
	arguments->told = (struct probe_argument){.kind = PROBE_ARGUMENT_MEMORY + 1, .size = 8};
	EXPECT(!allocator_file__is_valid(&said, sizeof(said)));
	said = (struct allocator_file){.nr_sites = 1, .sites[0].probe = ALLOCATOR_PROBES};
	EXPECT(!allocator_file__is_valid(&said, sizeof(said)));
	said = (struct allocator_file){.nr_sites = ALLOCATOR_MAX_SITES + 1};
	EXPECT(!allocator_file__is_valid(&said, sizeof(said)));
}

int main(void)
{
	static const struct test tests[] = {
		{"whose malloc is called", test_malloc},
		{"nobody's", test_none},
		{"who tells", test_tellers},
		{"answers of anybody's", test_answers},
		{0},
	};
	int failed;

	if (readers__start(&readers, jobs__find))
		return 1;
	scratch_create();
	scratch_write("program.c", program);
	scratch_write("allocator.c", allocator);
	scratch_write("teller.c", teller);
	scratch_write("nobody.c", nobody);
	failed = run_tests("allocators", tests);
	allocators__close(&allocators);
	readers__stop(readers);
	return failed;
}
