// SPDX-License-Identifier: GPL-2.0-only
/* A perf map that means harm: the job that reads it. */
#include "growing.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	read_growing(job__perf_map, data, size);
	return 0;
}
