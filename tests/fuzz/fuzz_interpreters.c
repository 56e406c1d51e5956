// SPDX-License-Identifier: GPL-2.0-only
/*
 * Describes ELF files that pretend to be interpreters. Every description can be followed, and its
 * loops are code of the file; the same file gives the same description again.
 */
#include <errno.h>

#include "elf/file.h"
#include "interpreters/interpreters.h"
#include "require.h"

#define BASE 0x10000

static void check_loops(const struct interpreter *interpreter, uint64_t nr_bytes)
{
	const struct interpreter_range *loops = interpreter->loops;

	for (size_t i = 0; i < INTERPRETER_MAX_LOOPS; i++)
		require(loops[i].end - loops[i].start <= nr_bytes);
	require(loops[0].end <= loops[1].start || loops[1].end <= loops[0].start);
}

static struct interpreter describe(const uint8_t *data, size_t size)
{
	struct interpreter interpreter;
	struct elf_file file;

	memset(&interpreter, 0, sizeof(interpreter));
	if (elf_file__open_memory(&file, copy_of(data, size), size))
		return interpreter;
	require(!interpreters__describe(&file, BASE, &interpreter));
	elf_file__close(&file);
	return interpreter;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct interpreter first = describe(data, size), second = describe(data, size);

	require(interpreter__is_sane(&first));
	require(!memcmp(&first, &second, sizeof(first)));
	if (first.language)
		check_loops(&first, size);
	return 0;
}
