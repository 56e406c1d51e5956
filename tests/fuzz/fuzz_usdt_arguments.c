// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads a file's description of a probe's arguments. Those that are understood lie in registers
 * that exist.
 */
#include "require.h"

#include <elf.h>

#include "elf/usdt.h"

static void check(const char *text, unsigned int machine, unsigned int nr_registers)
{
	struct probe_argument arguments[USDT_MAX_ARGUMENTS];
	const size_t nr = usdt__read_arguments(text, machine, arguments);

	require(nr <= USDT_MAX_ARGUMENTS);
	for (size_t i = 0; i < nr; i++) {
		const struct probe_argument *argument = &arguments[i];

		require(argument->kind <= PROBE_ARGUMENT_MEMORY && argument->is_signed <= 1);
		require(argument->size == 1 || argument->size == 2 || argument->size == 4 ||
			argument->size == 8);
		require(argument->register_offset % 8 == 0);
		require(argument->register_offset / 8 < nr_registers);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	require(text != NULL);
	memcpy(text, data, size);
	text[size] = '\0';
	check(text, EM_X86_64, 20);
	check(text, EM_AARCH64, 32);
	free(text);
	return 0;
}
