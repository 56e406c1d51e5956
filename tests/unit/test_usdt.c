// SPDX-License-Identifier: GPL-2.0-only
/*
 * Probes that programs were built with: readelf's view of them, and the places of their arguments.
 */
#include "elf/usdt.h"

#include <asm/ptrace.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "elf/file.h"
#include "expect.h"
#include "scratch.h"

/* ---- arguments ---- */

static struct probe_argument arguments[USDT_MAX_ARGUMENTS];

static void expect_argument(size_t index, unsigned int kind, unsigned int word, int size,
			    long long number)
{
	const struct probe_argument *argument = &arguments[index];

	EXPECT_EQ(argument->kind, kind);
	EXPECT_EQ(argument->register_offset, 8 * word);
	EXPECT_EQ(argument->is_signed ? -argument->size : argument->size, size);
	EXPECT_EQ(argument->number, number);
}

#define RDI 14 /* words of struct pt_regs */
#define RBP 4
#define RAX 10
#define RSP 19
#define R8  9

static void test_x86(void)
{
	EXPECT_EQ(usdt__read_arguments(
			  "8@%rdi -4@%eax 8@-24(%rbp) 4@$16 -8@$-1 1@%sil 2@(%rsp) 1@%r8b",
			  EM_X86_64, arguments),
		  8);
	expect_argument(0, PROBE_ARGUMENT_REGISTER, RDI, 8, 0);
	expect_argument(1, PROBE_ARGUMENT_REGISTER, RAX, -4, 0);
	expect_argument(2, PROBE_ARGUMENT_MEMORY, RBP, 8, -24);
	expect_argument(3, PROBE_ARGUMENT_CONSTANT, 0, 4, 16);
	expect_argument(4, PROBE_ARGUMENT_CONSTANT, 0, -8, -1);
	expect_argument(5, PROBE_ARGUMENT_REGISTER, RDI - 1, 1, 0);
	expect_argument(6, PROBE_ARGUMENT_MEMORY, RSP, 2, 0);
	expect_argument(7, PROBE_ARGUMENT_REGISTER, R8, 1, 0);
	EXPECT_EQ(usdt__read_arguments("", EM_X86_64, arguments), 0);
#ifdef __x86_64__
	EXPECT_EQ(offsetof(struct pt_regs, rdi), 8 * RDI);
	EXPECT_EQ(offsetof(struct pt_regs, rbp), 8 * RBP);
	EXPECT_EQ(offsetof(struct pt_regs, rax), 8 * RAX);
	EXPECT_EQ(offsetof(struct pt_regs, rsp), 8 * RSP);
	EXPECT_EQ(offsetof(struct pt_regs, r8), 8 * R8);
#endif
}

static void test_aarch64(void)
{
	EXPECT_EQ(usdt__read_arguments("8@x0 8@[sp, 16] -4@12 4@w30 8@[x29,#-8] 1@[x1] 8@sp",
				       EM_AARCH64, arguments),
		  7);
	expect_argument(0, PROBE_ARGUMENT_REGISTER, 0, 8, 0);
	expect_argument(1, PROBE_ARGUMENT_MEMORY, 31, 8, 16);
	expect_argument(2, PROBE_ARGUMENT_CONSTANT, 0, -4, 12);
	expect_argument(3, PROBE_ARGUMENT_REGISTER, 30, 4, 0);
	expect_argument(4, PROBE_ARGUMENT_MEMORY, 29, 8, -8);
	expect_argument(5, PROBE_ARGUMENT_MEMORY, 1, 1, 0);
	expect_argument(6, PROBE_ARGUMENT_REGISTER, 31, 8, 0);
}

/* Each after one that is understood, and before another one. */
static void expect_unread(unsigned int machine, const char *good, const char *bad)
{
	char text[128];
	size_t nr;

	snprintf(text, sizeof(text), "%s %s %s", good, bad, good);
	nr = usdt__read_arguments(text, machine, arguments);
	EXPECT_EQ(nr, 1);
	if (nr != 1)
		printf("%s\n", text);
}

static void test_refusals(void)
{
	static const char *const of_x86[] = {
		"8@8(%rax,%rbx,8)",
		"8@8(%rip",
		"8@name(%rip)",
		"8@name",
		"8f@%xmm0",
		"16@%rax",
		"8@%xmm0",
		"8@%ah",
		"8@%",
		"8@",
		"8@$",
		"8@$x",
		"@%rax",
		"%rax",
		"3@%rax",
		"0@%rax",
		"8@%raxx",
		"8@(%eax)",
		"8@4",
		"8@$1x",
		"8@$99999999999999999999",
		"8@x0",
		"8@%fs:16(%rax)",
		"8@%r16",
		"-@%rax",
		"8@*%rax",
	};
	static const char *const of_arm[] = {
		"8@x31",
		"8@[x0, x1]",
		"8@[w0]",
		"8@[x0",
		"8@[x0,",
		"8@[x0, ]",
		"8@x-1",
		"8@x",
		"8@d0",
		"8@%rax",
		"8@[sp, 16]!",
		"8@$4",
		"8@x99999999999999999999",
	};

	for (size_t i = 0; i < sizeof(of_x86) / sizeof(*of_x86); i++)
		expect_unread(EM_X86_64, "8@%rdi", of_x86[i]);
	for (size_t i = 0; i < sizeof(of_arm) / sizeof(*of_arm); i++)
		expect_unread(EM_AARCH64, "8@x0", of_arm[i]);
	EXPECT_EQ(usdt__read_arguments(
			  "1@$1 1@$1 1@$1 1@$1 1@$1 1@$1 1@$1 1@$1 1@$1 1@$1 1@$1 1@$1 1@$1",
			  EM_X86_64, arguments),
		  USDT_MAX_ARGUMENTS);
}

/* ---- files ---- */

static const char source[] =
	"#define _SDT_HAS_SEMAPHORES 1\n"
	"#include <stdint.h>\n"
	"#include <sys/sdt.h>\n"
	"unsigned short ours_third_semaphore __attribute__((section(\".probes\")));\n"
	"unsigned short ours_first_semaphore __attribute__((section(\".probes\")));\n"
	"unsigned short ours_second_semaphore __attribute__((section(\".probes\")));\n"
	"unsigned short others_first_semaphore __attribute__((section(\".probes\")));\n"
	"void take(void *block, uint64_t size, uint64_t weight)\n"
	"{ DTRACE_PROBE3(ours, first, block, size, weight); }\n"
	"int main(int argc, char **argv)\n"
	"{\n"
	"	take(argv, (uint64_t)argc, 4);\n"
	"	DTRACE_PROBE1(ours, second, argv);\n"
	"	DTRACE_PROBE(others, first);\n"
	"	DTRACE_PROBE2(ours, third, 7, argc);\n"
	"}\n";

struct known_probe {
	char name[32];
	uint64_t offset, semaphore;
	size_t nr_arguments;
};

struct list {
	struct known_probe probes[8];
	size_t nr;
	int stop; /* take() returns this at the first */
};

static int take(void *context, const struct usdt_probe *probe)
{
	struct list *list = context;
	struct known_probe *known = &list->probes[list->nr++];

	EXPECT(probe->is_nop);
	snprintf(known->name, sizeof(known->name), "%s", probe->name);
	known->offset = probe->offset;
	known->semaphore = probe->semaphore;
	known->nr_arguments = probe->nr_arguments;
	return list->stop;
}

static int read_list(const char *name, struct list *list)
{
	const int fd = open(scratch_path(name), O_RDONLY | O_CLOEXEC);
	struct elf_file file;
	int code;

	list->nr = 0;
	EXPECT_EQ(elf_file__open(&file, fd), 0);
	code = usdt__each(&file, "ours", take, list);
	elf_file__close(&file);
	close(fd);
	return code;
}

/* Returns the offset in the file of an address, by readelf's view of the program's headers. */
static uint64_t offset_of(const char *program, uint64_t address)
{
	unsigned long long offset, start, size, found = 0;
	char command[512], line[256];
	FILE *headers;

	snprintf(command, sizeof(command), "readelf -lW '%s'", scratch_path(program));
	headers = popen(command, "r");
	while (fgets(line, sizeof(line), headers))
		if (sscanf(line, " LOAD %llx %llx %*x %llx", &offset, &start, &size) == 3 &&
		    address >= start && address - start < size)
			found = address - start + offset;
	pclose(headers);
	return found;
}

static size_t count_words(const char *text)
{
	size_t nr = 0;

	for (; *text && *text != '\n'; text++)
		nr += *text == '@';
	return nr;
}

/* readelf does not add the distance by which a file was moved. */
static void check_against_readelf(const char *program, uint64_t moved)
{
	char command[512], line[256], provider[32] = "", name[32] = "";
	unsigned long long address = 0, base, semaphore = 0;
	struct list list = {0};
	size_t nr = 0;
	FILE *notes;

	EXPECT_EQ(read_list(program, &list), 0);
	EXPECT_EQ(list.nr, 3);
	snprintf(command, sizeof(command), "readelf -nW '%s'", scratch_path(program));
	notes = popen(command, "r");
	while (fgets(line, sizeof(line), notes)) {
		if (strstr(line, "Provider: "))
			sscanf(strstr(line, "Provider: "), "Provider: %31s", provider);
		sscanf(line, " Name: %31s", name);
		sscanf(line, " Location: %llx, Base: %llx, Semaphore: %llx", &address, &base,
		       &semaphore);
		if (!strstr(line, "Arguments:") || strcmp(provider, "ours") != 0 || nr == list.nr)
			continue;
		EXPECT_STR(list.probes[nr].name, name);
		EXPECT_EQ(list.probes[nr].offset, offset_of(program, address + moved));
		EXPECT_EQ(list.probes[nr].semaphore, offset_of(program, semaphore + moved));
		EXPECT_EQ(list.probes[nr].nr_arguments, count_words(line));
		EXPECT(list.probes[nr].offset && list.probes[nr].semaphore);
		nr++;
	}
	pclose(notes);
	EXPECT_EQ(nr, 3);
}

static void test_readelf(void)
{
	static const char *const flags[] = {"-pie -fPIE", "-no-pie -fno-pie", "-shared -fPIC",
					    "-static", "-Wl,-z,max-page-size=0x200000"};

	for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++) {
		scratch_run("gcc -O1 %s -o program source.c", flags[i]);
		check_against_readelf("program", 0);
		scratch_run("strip program");
		check_against_readelf("program", 0);
	}
}

/* As prelink does: all addresses of the program are others, and its notes are as they were. */
static void test_moved(void)
{
	scratch_run("gcc -O1 -pie -fPIE -o program source.c && objcopy --change-addresses=0x10000 "
		    "program moved");
	check_against_readelf("program", 0);
	scratch_run("readelf -lW moved | grep -q 'LOAD .*0x0*10000 '");
	check_against_readelf("moved", 0x10000);
}

static void test_end(void)
{
	struct list list = {.stop = -EINTR};

	scratch_run("gcc -O1 -o program source.c");
	EXPECT_EQ(read_list("program", &list), -EINTR);
	EXPECT_EQ(list.nr, 1);
	scratch_run("objcopy -R .note.stapsdt program none");
	list.stop = 0;
	EXPECT_EQ(read_list("none", &list), 0);
	EXPECT_EQ(list.nr, 0);
}

int main(void)
{
	static const struct test tests[] = {
		{"arguments on x86-64", test_x86},
		{"arguments on aarch64", test_aarch64},
		{"what is not understood", test_refusals},
		{"agrees with readelf", test_readelf},
		{"of a file that was moved", test_moved},
		{"the end", test_end},
		{0},
	};

	scratch_create();
	scratch_write("source.c", source);
	return run_tests("usdt", tests);
}
