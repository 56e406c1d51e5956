// SPDX-License-Identifier: GPL-2.0-only
/* Reads a list of kernel symbols that means harm, and the kernel's answer on one. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/strings.h"
#include "elf/symbol_table.h"
#include "symbols/files/names.h"
#include "symbols/kernel.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
	if (!condition)
		abort();
}

/* Requires that a symbol that covers an address begins at or before it, and can be shown. */
static void check_address(const struct symbol_table *table, struct strings *strings,
			  uint64_t address)
{
	const struct symbol_name *name;
	struct found_symbol found;

	if (!symbol_table__find(table, address, &found))
		return;
	require(found.start <= address && found.name[0]);
	name = names__kernel(strings, found.name, true);
	require(!name || (name->function && name->module));
}

static void check_table(const struct symbol_table *table)
{
	struct strings *strings = strings__new();

	require(strings != NULL);
	for (uint64_t shift = 0; shift < 64; shift++) {
		check_address(table, strings, 1ULL << shift);
		check_address(table, strings, UINT64_MAX << shift);
		check_address(table, strings, 0xffffffff81000000 + (1ULL << shift));
		check_address(table, strings, 0xffffffffc0000000 + (1ULL << shift));
	}
	strings__free(strings);
}

static void check_answer(const uint8_t *data, size_t size)
{
	char answer[512], raw[64];
	uint64_t offset;
	const size_t length = size < sizeof(answer) - 1 ? size : sizeof(answer) - 1;

	memcpy(answer, data, length);
	answer[length] = '\0';
	if (kernel_answer__parse(answer, raw, sizeof(raw), &offset))
		require(strlen(raw) < sizeof(raw));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const int fd = memfd_create("kallsyms", MFD_CLOEXEC);
	struct symbol_table *table = NULL;

	require(fd >= 0);
	require(pwrite(fd, data, size, 0) == (ssize_t)size);
	if (!kallsyms__read(fd, &table))
		check_table(table);
	symbol_table__free(table);
	close(fd);
	check_answer(data, size);
	return 0;
}
