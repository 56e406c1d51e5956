// SPDX-License-Identifier: GPL-2.0-only
/*
 * Debug information that means harm: whatever it says, an address has some places, and each of them
 * is text. libdw itself is not instrumented: it may crash in a reader, and nowhere else.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/image_file.h"
#include "readers/dwarf.h"

#define NR_ADDRESSES 256
#define SPACING	     16

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
	if (!condition)
		abort();
}

static int check(void *context, size_t address, const struct source_place *places, size_t nr_places)
{
	uint8_t *is_told = context;

	require(address < NR_ADDRESSES && !is_told[address]++);
	require(nr_places > 0 && nr_places <= MAX_PLACES);
	for (size_t i = 0; i < nr_places; i++) {
		require(!places[i].function || strlen(places[i].function) < SIZE_MAX);
		require(!places[i].file || strlen(places[i].file) < SIZE_MAX);
	}
	return 0;
}

/* Where an entry is, or nothing, is as good as anywhere. */
static uint64_t first_address(int fd)
{
	struct elf_file file;
	uint64_t address = 0;

	if (elf_file__open(&file, fd))
		return 0;
	address = file.header.e_entry & ~(uint64_t)(SPACING - 1);
	elf_file__close(&file);
	return address < UINT64_MAX - NR_ADDRESSES * SPACING ? address : 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const int fd = file_of(data, size);
	uint64_t addresses[NR_ADDRESSES];
	uint8_t is_told[NR_ADDRESSES] = {0};
	const struct dwarf_query query = {.fd = fd,
					  .alternate = fd,
					  .addresses = addresses,
					  .nr_addresses = NR_ADDRESSES,
					  .taker = {check, is_told}};

	require(fd >= 0);
	for (size_t i = 0; i < NR_ADDRESSES; i++)
		addresses[i] = first_address(fd) + i * SPACING;
	dwarf__find(&query);
	close(fd);
	return 0;
}
