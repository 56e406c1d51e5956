/* SPDX-License-Identifier: GPL-2.0-only */
/* The two halves of the unwinding bench, a BPF program and its user space, share this account. */
#ifndef BENCH_WALK_H
#define BENCH_WALK_H

#include <linux/types.h>

/* The account, per CPU. */
enum walk_slot {
	WALK_SAMPLES,
	WALK_USER_MODE,
	WALK_FRAMES,
	WALK_GUESSED, /* samples with a frame found by frame pointer */
	WALK_NS,
	WALK_ENDS, /* a slot for each enum unwind_step */
	WALK_SLOTS = WALK_ENDS + 16,
};

/* The place where a walk stopped short. */
struct stop_key {
	__u64 pc;
	__u32 tgid, end;
};

#endif
