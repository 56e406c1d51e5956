// SPDX-License-Identifier: GPL-2.0-only
/* A perf map that means harm. Read while it grows, it says the same as read at once. */
#include "growing.h"

FUZZ_GROWING(struct perf_map, perf_map__read)
