// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lists take the first blocks that fit. A byte for each block holds its state: free, used or
 * retired.
 */
#include "capture/unwinding/internal.h"

#include <sys/mman.h>

#define BLOCK 16 /* regions */

enum block_state {
	BLOCK_FREE,
	BLOCK_USED,
	BLOCK_RETIRED, /* removed since the last grace period */
};

struct unwind_lists {
	struct unwind_region *regions; /* mapped */
	uint32_t nr_blocks;
	uint8_t states[];
};

static size_t bytes_of(uint32_t nr_blocks)
{
	return (size_t)nr_blocks * BLOCK * sizeof(struct unwind_region);
}

static uint32_t blocks_of(uint32_t nr)
{
	return (nr + BLOCK - 1) / BLOCK;
}

struct unwind_lists *unwind_lists__new(int map, uint32_t nr_entries)
{
	uint32_t nr_blocks = nr_entries / BLOCK;
	struct unwind_lists *lists = xcalloc(1, sizeof(*lists) + nr_blocks);
	void *regions;

	regions = mmap(NULL, bytes_of(nr_blocks), PROT_READ | PROT_WRITE, MAP_SHARED, map, 0);
	if (regions == MAP_FAILED) {
		free(lists);
		return NULL;
	}
	lists->regions = regions;
	lists->nr_blocks = nr_blocks;
	return lists;
}

void unwind_lists__free(struct unwind_lists *lists)
{
	if (!lists)
		return;
	munmap(lists->regions, bytes_of(lists->nr_blocks));
	free(lists);
}

int unwind_lists__add(struct unwind_lists *lists, const struct unwind_region *regions, uint32_t nr,
		      struct unwind_regions *list)
{
	uint32_t wanted = blocks_of(nr), run = 0, i;

	for (i = 0; i < lists->nr_blocks && run < wanted; i++)
		run = lists->states[i] == BLOCK_FREE ? run + 1 : 0;
	if (run < wanted)
		return -ENOSPC;
	memset(lists->states + i - wanted, BLOCK_USED, wanted);
	*list = (struct unwind_regions){.first = (i - wanted) * BLOCK, .nr = nr};
	memcpy(lists->regions + list->first, regions, nr * sizeof(*regions));
	return 0;
}

void unwind_lists__remove(struct unwind_lists *lists, const struct unwind_regions *list)
{
	memset(lists->states + list->first / BLOCK, BLOCK_RETIRED, blocks_of(list->nr));
}

void unwind_lists__settle(struct unwind_lists *lists)
{
	uint32_t i;

	for (i = 0; i < lists->nr_blocks; i++)
		if (lists->states[i] == BLOCK_RETIRED)
			lists->states[i] = BLOCK_FREE;
}
