/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where a probe of a function goes. The kernel puts a breakpoint over an instruction; what that one
 * is decides what a hit costs, by a factor of ten. So the probe goes to the first instruction that
 * the kernel emulates, if it runs in each call of the function as the first one does, before the
 * stack pointer moves. Where there is none near the entry, it goes to the entry.
 *
 * Never to a nop of 5 bytes, or what does as little, on no kernel: bad_kernels.c says why.
 *
 * Pure: bytes in, a place out. On aarch64 it is the entry.
 */
#ifndef TOPSTACKS_CAPTURE_PROBES_PLACEMENT_H
#define TOPSTACKS_CAPTURE_PROBES_PLACEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PLACEMENT_MAX_BYTES 16 /* from the entry to a better place */

struct placement {
	size_t offset;	     /* from the function's first byte */
	unsigned int length; /* of the instruction there, in bytes */
	bool is_emulated;    /* else single-stepped: about 10 us a hit */
};

/*
 * For hits as the function is called. code: the function's bytes, all of them, as jumps back to its
 * beginning would be counted as calls. arguments: bit N-1, argument N must still be in its register.
 * 0; -ENOTSUP: no instruction can have a probe; -EILSEQ: the first one is none.
 */
int placement__entry(struct placement *placement, const uint8_t *code, size_t size,
		     unsigned int arguments);

/*
 * For hits of the instruction at an offset: there, or right behind a nop that must have no probe.
 * 0; -EINVAL: no instruction begins there; -ENOTSUP: it can have no probe, nor what follows.
 */
int placement__at(struct placement *placement, const uint8_t *code, size_t size, size_t offset);

#endif
