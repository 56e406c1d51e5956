// SPDX-License-Identifier: GPL-2.0-only
/* A perf map that means harm. Read while it grows, it says the same as read at once. */
#include "symbols/perf_map.h"

#include "growing.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_map(void *reader, int fd, struct jit_code *code, size_t *allowance)
{
	perf_map__read(reader, fd, code, allowance);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct perf_map maps[2] = {0};
	struct reading growing = {.reader = &maps[0], .read = read_map};
	struct reading whole = {.reader = &maps[1], .read = read_map};

	read_growing(&growing, &whole, data, size);
	return 0;
}
