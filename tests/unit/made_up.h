/* SPDX-License-Identifier: GPL-2.0-only */
/* Symbols of processes that events tell of, and of files whose functions are known. */
#ifndef TOPSTACKS_TESTS_MADE_UP_H
#define TOPSTACKS_TESTS_MADE_UP_H

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/clock.h"
#include "expect.h"
#include "processes.h"
#include "readers/readers.h"
#include "scratch.h"
#include "symbols/symbols.h"

#define PID   0x40000000 /* above every pid_max */
#define PLACE 0x7f0000000000ULL

static struct symbols *symbols;
static struct frame frame;

static struct readers *readers; /* while there are symbols */

static inline void begin_with(const struct symbols_options *wanted)
{
	struct symbols_options options = *wanted;

	EXPECT_EQ(readers__start(&readers, jobs__find), 0);
	options.readers = readers;
	symbols = symbols__new(&options);
}

static inline void begin(void)
{
	begin_with(&(struct symbols_options){.demangle = true});
}

static inline void end(void)
{
	symbols__free(symbols);
	symbols = NULL;
	readers__stop(readers);
	readers = NULL;
}

static inline struct image *image_of(pid_t pid)
{
	const struct process process = {
		.pid = pid, .start_ns = process_start_ns(pid), .seen_ns = monotonic_ns()};

	EXPECT_EQ(symbols__read_process(symbols, pid), 0);
	return symbols__image(symbols, &process);
}

static inline struct image *own_image(void)
{
	return image_of(getpid());
}

/* ---- events of processes that do not exist ---- */

static inline void tell(enum process_event_type type, int32_t pid, uint64_t time_ns)
{
	const struct process_event event = {.type = type, .pid = pid, .time_ns = time_ns};

	symbols__observe(symbols, &event);
}

/* The first segment of code of a file, as a program header says, at some address. */
static inline void tell_map(int32_t pid, uint64_t time_ns, uint64_t start, uint64_t offset,
			    const char *path, const struct stat *status)
{
	const struct process_event event = {
		.type = PROCESS_MAPPED,
		.pid = pid,
		.time_ns = time_ns,
		.mapping = {.start = start,
			    .end = start + 0x10000,
			    .offset = offset,
			    .inode = status ? status->st_ino : 0,
			    .major = status ? major(status->st_dev) : 0,
			    .minor = status ? minor(status->st_dev) : 0,
			    .path = path},
	};

	symbols__observe(symbols, &event);
}

static inline void resolve(int32_t pid, uint64_t seen_ns, uint64_t address)
{
	const struct process process = {.pid = pid, .start_ns = 5, .seen_ns = seen_ns};

	symbols__resolve(symbols, symbols__image(symbols, &process), address, false, &frame);
}

/* ---- files whose functions are known ---- */

/* A function with this name, at the same address and file offset in every file made by this. */
static inline void build(const char *name, const char *function)
{
	char source[512];

	snprintf(source, sizeof(source),
		 "__asm__(\".globl %s\\n.type %s, @function\\n%s: .skip 64, 0x90\\n\"\n"
		 "\".size %s, 64\\n\");\nvoid _start(void) { for (;;); }\n",
		 function, function, function, function);
	scratch_write("program.c", source);
	scratch_run("cc -O1 -nostdlib -static -no-pie -fno-pie -Wl,-Ttext=0x401000 "
		    "-Wl,-z,max-page-size=4096 -Wl,--build-id -o %s program.c",
		    name);
}

/* Where the function is in such a file. */
static inline uint64_t offset_in(const char *path)
{
	static const char nops[] = "\x90\x90\x90\x90\x90\x90\x90\x90";
	char text[65536];
	int fd = open(path, O_RDONLY);
	ssize_t length = read(fd, text, sizeof(text));
	char *found = memmem(text, (size_t)length, nops, 8);

	close(fd);
	EXPECT(found);
	return (uint64_t)(found - text);
}

static inline struct stat status_of(const char *path)
{
	struct stat status;

	EXPECT_EQ(stat(path, &status), 0);
	return status;
}

/* A process that maps the file at PLACE, so that the function is there. */
static inline void tell_program(int32_t pid, uint64_t time_ns, const char *path, uint64_t offset,
				const struct stat *status)
{
	tell(PROCESS_EXECED, pid, time_ns);
	tell_map(pid, time_ns, PLACE, offset, path, status);
}

#endif
