/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Runs the jobs of reading files of made code, on files that mean harm. A file that grows while it
 * is read gives the same code as one that is read at once.
 */
#ifndef TOPSTACKS_TESTS_FUZZ_GROWING_H
#define TOPSTACKS_TESTS_FUZZ_GROWING_H

#include "elf/symbol_table.h"
#include "own_reader.h"
#include "readers/jit_files.h"
#include "symbols/jit/jit_code.h"

#define PROBED 4096 /* addresses, from 0 */

struct growing {
	int (*job)(const struct reader_task *task);
	union jit_progress progress;
	struct jit_bounds bounds;
	struct jit_code code;
};

static void begin(struct growing *reading, int (*job)(const struct reader_task *task))
{
	*reading = (struct growing){.job = job, .bounds.max_code_bytes = 1 << 20};
	reading->code.bounds = &reading->bounds;
}

static void read_on(struct growing *reading, const uint8_t *data, size_t size)
{
	const struct jit_request request = {.allowance = 1 << 20, .progress = reading->progress};
	struct own_answer answer;
	struct jit_answer head;

	own_reader.nr_parts = 1;
	own_reader.parts[0] = (struct input_part){data, size};
	answer = run_job(reading->job, -1, &request, sizeof(request));
	require(!answer.code && answer.nr_bytes >= sizeof(head));
	memcpy(&head, answer.bytes, sizeof(head));
	reading->progress = head.progress;
	require(!jit_code__apply(&reading->code, (const char *)answer.bytes + sizeof(head),
				 answer.nr_bytes - sizeof(head)));
	free(answer.bytes);
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

static void read_growing(int (*job)(const struct reader_task *task), const uint8_t *data,
			 size_t size)
{
	struct growing growing, whole;

	begin(&growing, job);
	begin(&whole, job);
	read_on(&growing, data, size / 2);
	read_on(&growing, data, size);
	read_on(&whole, data, size);
	for (uint64_t address = 0; address < PROBED; address++)
		compare(&growing, &whole, address);
	end(&growing);
	end(&whole);
}

#endif
