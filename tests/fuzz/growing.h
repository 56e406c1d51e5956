/* SPDX-License-Identifier: GPL-2.0-only */
/* A file of made code that grows while it is read says the same as one that is read at once. */
#ifndef TOPSTACKS_TESTS_FUZZ_GROWING_H
#define TOPSTACKS_TESTS_FUZZ_GROWING_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "elf/symbol_table.h"
#include "readers/jit_files.h"
#include "symbols/jit_code.h"

#define PROBED 4096 /* addresses, from 0 */

static void require(int condition)
{
	if (!condition)
		abort();
}

struct growing {
	struct jit_bounds bounds;
	struct jit_code code;
	void *reader; /* zeroed, for read */
	void (*read)(void *reader, int fd, struct jit_told *told, size_t *allowance);
};

static void begin(struct growing *reading)
{
	reading->bounds = (struct jit_bounds){.max_code_bytes = 1 << 20};
	reading->code = (struct jit_code){.bounds = &reading->bounds};
}

static void read_on(struct growing *reading, int fd)
{
	size_t allowance = 1 << 20;
	struct jit_told told = {0};

	reading->read(reading->reader, fd, &told, &allowance);
	require(!jit_code__apply(&reading->code, told.bytes, told.nr_bytes));
	free(told.bytes);
	require(reading->bounds.code_bytes <= reading->bounds.max_code_bytes);
}

static void end(struct growing *reading)
{
	jit_code__clear(&reading->code);
	require(reading->bounds.code_bytes == 0);
}

static void compare(const struct growing *left, const struct growing *right, uint64_t address)
{
	struct found_symbol a, b;
	const bool found = jit_code__find(&left->code, address, &a);

	require(found == jit_code__find(&right->code, address, &b));
	if (!found)
		return;
	require(a.start == b.start && a.start <= address && !strcmp(a.name, b.name));
	require(a.name[0] && strlen(a.name) <= JIT_MAX_NAME_BYTES);
}

static void read_growing(struct growing *growing, struct growing *whole, const uint8_t *data,
			 size_t size)
{
	int fd = memfd_create("growing", MFD_CLOEXEC);

	require(fd >= 0);
	begin(growing);
	begin(whole);
	require(write(fd, data, size / 2) == (ssize_t)(size / 2));
	read_on(growing, fd);
	require(pwrite(fd, data, size, 0) == (ssize_t)size);
	read_on(growing, fd);
	read_on(whole, fd);
	for (uint64_t address = 0; address < PROBED; address++)
		compare(growing, whole, address);
	end(growing);
	end(whole);
	close(fd);
}

/* The target for one kind of file: `type` is what its reader remembers, `read_file` reads on. */
#define FUZZ_GROWING(type, read_file)                                                       \
	int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);                       \
	static void read_it(void *reader, int fd, struct jit_told *told, size_t *allowance) \
	{                                                                                   \
		read_file(reader, fd, told, allowance);                                     \
	}                                                                                   \
	int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)                        \
	{                                                                                   \
		type readers[2] = {0};                                                      \
		struct growing growing = {.reader = &readers[0], .read = read_it};          \
		struct growing whole = {.reader = &readers[1], .read = read_it};            \
                                                                                            \
		read_growing(&growing, &whole, data, size);                                 \
		return 0;                                                                   \
	}

#endif
