// SPDX-License-Identifier: GPL-2.0-only
/*
 * decode KIND FILE: decodes a file as the sampler has it done, but in one process. KIND is a job of
 * readers, whose answer is decoded, too, or "kallsyms" or "maps".
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "elf/object.h"
#include "elf/symbol_table.h"
#include "processes/maps.h"
#include "processes/process.h"
#include "readers/jit_files.h"
#include "readers/jobs.h"
#include "readers/readers.h"
#include "readers/source_lines.h"
#include "symbols/jit/jit_code.h"
#include "symbols/kernel.h"
#include "topstacks/interpreter_abi.h"
#include "unwind/unwind.h"

#define SPACING	     16
#define NR_ADDRESSES 4096

/* ---- a job, and its answer ---- */

static int do_job(enum reader_job job, const int *files, size_t nr_files, const void *arguments,
		  size_t nr_bytes, struct reader_answer *answer)
{
	const int told = memfd_create("answer", MFD_CLOEXEC);
	const struct reader_task task = {.channel = -1,
					 .answer = dup(told), /* the job may close it */
					 .files = files,
					 .nr_files = nr_files,
					 .arguments = arguments,
					 .nr_bytes = nr_bytes};
	const int code = jobs__find(job)->run(&task);
	struct stat status;

	*answer = (struct reader_answer){0};
	if (!fstat(told, &status) && status.st_size) {
		answer->nr_bytes = (size_t)status.st_size;
		answer->bytes = mmap(NULL, answer->nr_bytes, PROT_READ, MAP_SHARED, told, 0);
	}
	close(told);
	return code;
}

static int decode_jit(enum reader_job job, int fd)
{
	struct jit_bounds bounds = {.max_code_bytes = 32 << 20};
	struct jit_code functions = {.bounds = &bounds};
	struct jit_request request;
	struct jit_answer head = {.has_more = 1};
	int code = 0;

	memset(&request, 0, sizeof(request));
	while (!code && head.has_more) {
		struct reader_answer answer;

		request.allowance = 16 << 20;
		code = do_job(job, &fd, 1, &request, sizeof(request), &answer);
		if (code || answer.nr_bytes < sizeof(head))
			return code ? code : -EIO;
		memcpy(&head, answer.bytes, sizeof(head));
		request.progress = head.progress;
		code = jit_code__apply(&functions, (const char *)answer.bytes + sizeof(head),
				       answer.nr_bytes - sizeof(head));
		reader_answer__free(&answer);
	}
	jit_code__clear(&functions);
	return code;
}

static int decode_symbols(int fd)
{
	const struct object_request request = {.max_bytes = 1 << 30};
	struct found_symbol found;
	struct reader_answer answer;
	struct object *object = NULL;
	int code = do_job(READ_SYMBOLS, &fd, 1, &request, sizeof(request), &answer);

	if (!code)
		code = object__open(answer.bytes, answer.nr_bytes, &object);
	for (uint64_t i = 0; !code && i < NR_ADDRESSES; i++)
		symbol_table__find(object->table, i * SPACING, &found);
	object__free(object);
	reader_answer__free(&answer);
	return code;
}

static int decode_unwind(int fd)
{
	struct unwind_table *table = NULL;
	struct reader_answer answer;
	int code = do_job(READ_UNWIND, &fd, 1, NULL, 0, &answer);

	if (!code)
		code = unwind_table__view((const struct interpreter *)answer.bytes + 1,
					  answer.nr_bytes - sizeof(struct interpreter), &table);
	unwind_table__free(table);
	reader_answer__free(&answer);
	return code;
}

static int ignore_places(void *context, size_t address, const struct source_place *places,
			 size_t nr_places)
{
	(void)address;
	*(size_t *)context += nr_places && places[0].line;
	return 0;
}

static int decode_lines(int fd)
{
	const int files[] = {fd, memfd_create("addresses", MFD_CLOEXEC)};
	struct lines_request request;
	struct reader_answer answer;
	size_t nr_found = 0;
	const struct place_taker taker = {ignore_places, &nr_found};
	int code = 0;

	memset(&request, 0, sizeof(request));
	request.nr_addresses = NR_ADDRESSES;
	for (uint64_t i = 0; !code && i < NR_ADDRESSES; i++) {
		const uint64_t address = i * SPACING;

		code = write(files[1], &address, sizeof(address)) != sizeof(address);
	}
	code = do_job(READ_LINES, files, 2, &request, sizeof(request), &answer);
	source_lines__each(&answer, NR_ADDRESSES, &taker);
	reader_answer__free(&answer);
	if (!code && !nr_found)
		code = -ENODATA;
	return code;
}

/* ---- text ---- */

static int decode_kallsyms(int fd)
{
	struct symbol_table *table = NULL;
	const int code = kallsyms__read(fd, &table);

	symbol_table__free(table);
	return code;
}

static int count_mapping(void *context, const struct mapping *mapping)
{
	(void)mapping;
	++*(size_t *)context;
	return 0;
}

static int decode_maps(int fd)
{
	size_t nr = 0;
	const int code = maps__each_executable(fd, count_mapping, &nr);

	return code < 0 || nr ? code : -ENODATA;
}

static int decode_perf_map(int fd)
{
	return decode_jit(READ_PERF_MAP, fd);
}

static int decode_jitdump(int fd)
{
	return decode_jit(READ_JITDUMP, fd);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *kind;
		int (*decode)(int fd);
	} decoders[] = {
		{"perf_map", decode_perf_map}, {"jitdump", decode_jitdump},
		{"symbols", decode_symbols},   {"unwind", decode_unwind},
		{"lines", decode_lines},       {"kallsyms", decode_kallsyms},
		{"maps", decode_maps},
	};
	const int fd = argc == 3 ? open(argv[2], O_RDONLY | O_CLOEXEC) : -1;
	int code = -EINVAL;

	for (size_t i = 0; fd >= 0 && i < sizeof(decoders) / sizeof(decoders[0]); i++)
		if (!strcmp(decoders[i].kind, argv[1]))
			code = decoders[i].decode(fd);
	if (code)
		fprintf(stderr, "decode: %s\n", strerror(-code));
	return code ? 1 : 0;
}
