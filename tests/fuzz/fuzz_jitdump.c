// SPDX-License-Identifier: GPL-2.0-only
/* A jitdump that means harm: the job that reads it. */
#include "growing.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	read_growing(job__jitdump, data, size);
	return 0;
}
