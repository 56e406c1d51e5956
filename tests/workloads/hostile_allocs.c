// SPDX-License-Identifier: GPL-2.0-only
// cflags: -O1 -fno-omit-frame-pointer
/*
 * hostile_allocs CHOSEN FREED ENDS: passes the probes of the allocation library, which is
 * preloaded, at these addresses in its file. Their arguments are numbers that no allocator tells:
 * blocks without a size, of all memory, at all addresses.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NR_BLOCKS 300000 /* more than are remembered */

static uintptr_t find_library(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[4096];
	uintptr_t start = 0;

	while (!start && fgets(line, sizeof(line), maps))
		if (strstr(line, "libtopstacks-alloc.so"))
			start = strtoul(line, NULL, 16);
	fclose(maps);
	return start;
}

typedef void chosen_probe(uintptr_t block, uint64_t size, uint64_t weight, uint64_t since);
typedef void number_probe(uint64_t number);

int main(int argc, char **argv)
{
	const uintptr_t library = find_library();
	static const uint64_t odd[] = {0, 1, 3, INT64_MAX, 1ULL << 63, UINT64_MAX};
	chosen_probe *chosen;
	number_probe *freed, *ends;

	if (argc < 4 || !library)
		return 1;
	chosen = (chosen_probe *)(library + strtoul(argv[1], NULL, 16));
	freed = (number_probe *)(library + strtoul(argv[2], NULL, 16));
	ends = (number_probe *)(library + strtoul(argv[3], NULL, 16));
	for (size_t i = 0; i < 216; i++)
		chosen(odd[i % 6], odd[i / 6 % 6], odd[i / 36], odd[i % 5]);
	for (uint64_t i = 1; i <= NR_BLOCKS; i++)
		chosen(i << 12, 4096, 4096, 0);
	for (size_t i = 0; i < 6; i++) {
		freed(odd[i]);
		ends(odd[i]);
	}
	return 0;
}
