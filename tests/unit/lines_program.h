/* SPDX-License-Identifier: GPL-2.0-only */
/* A program whose lines are known, and how lines of a file are asked for. */
#ifndef TOPSTACKS_TESTS_LINES_PROGRAM_H
#define TOPSTACKS_TESTS_LINES_PROGRAM_H

#include <fcntl.h>
#include <stdint.h>

#include "expect.h"
#include "lines/lines.h"
#include "readers/readers.h"
#include "scratch.h"

/* Labels mark addresses: "here" is line 5 of inner, "after" is what follows it, line 6. */
static const char program_source[] =
	"volatile int sink;\n"
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

static inline uint64_t address_of(const char *symbol, const char *file)
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

static struct readers *readers;

static inline struct lines *new_lines(const struct lines_options *options)
{
	struct lines_options with_readers = *options;

	with_readers.readers = readers;
	return lines__new(&with_readers);
}

/* Returns the exit code for main. */
static inline int run_lines_tests(const char *suite, const struct test *tests)
{
	int code;

	scratch_create();
	scratch_write("program.c", program_source);
	if (readers__start(&readers, jobs__find))
		return 1;
	code = run_tests(suite, tests);
	readers__stop(readers);
	return code;
}

struct lookup {
	struct lines *lines;
	const char *file;     /* in the scratch directory */
	const char *build_id; /* NULL: none */
	uint64_t address;
	bool is_caller;
};

static inline size_t find(const struct lookup *asked, struct frame *frames)
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

static inline void keep(struct lines *lines, const char *file, const char *build_id)
{
	int fd = open(scratch_path(file), O_RDONLY | O_CLOEXEC);

	lines__keep(lines, scratch_path(file), build_id, fd, -1);
	close(fd);
}

/* Asks, waits, asks again. */
static inline size_t look_up(const struct lookup *asked, struct frame *frames)
{
	EXPECT_EQ(find(asked, frames), 0);
	EXPECT(lines__work(asked->lines, UINT64_MAX));
	return find(asked, frames);
}

#endif
