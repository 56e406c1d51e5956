// SPDX-License-Identifier: GPL-2.0-only
/* A jitdump that means harm. Read while it grows, it says the same as read at once. */
#include "symbols/jitdump.h"

#include "growing.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_dump(void *reader, int fd, struct jit_code *code, size_t *allowance)
{
	jitdump__read(reader, fd, code, allowance);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct jitdump dumps[2] = {0};
	struct reading growing = {.reader = &dumps[0], .read = read_dump};
	struct reading whole = {.reader = &dumps[1], .read = read_dump};

	read_growing(&growing, &whole, data, size);
	return 0;
}
