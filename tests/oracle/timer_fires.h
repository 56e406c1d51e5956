/* SPDX-License-Identifier: GPL-2.0-only */
/* The oracle's program tells its user space of single fires in this memory. */
#ifndef TIMER_FIRES_H
#define TIMER_FIRES_H

#include <linux/types.h>

/* Fires beyond so many are counted, but not told. */
#define MAX_TOLD 65536

struct told_fires {
	__u32 nr_switched_off, nr_elsewhere;
	__u32 switched_off[MAX_TOLD]; /* the caller's process id; 0: of another namespace */
	__u64 elsewhere[MAX_TOLD];    /* the address that was interrupted */
};

#endif
