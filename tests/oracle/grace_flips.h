/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TOPSTACKS_TESTS_GRACE_FLIPS_H
#define TOPSTACKS_TESTS_GRACE_FLIPS_H

#include <linux/types.h>

struct flips {
	__u32 generation;
	__u32 is_closed[2];
	__u32 is_careless; /* runs do not count themselves, so that some are seen to be late */
	__u64 nr_runs;
	__u64 nr_late; /* ended in a generation that was closed */
};

#endif
