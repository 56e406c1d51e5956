/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Chooses the instruction for the probe of a function. The kernel puts a breakpoint over an
 * instruction, and the kind of instruction decides the cost of a hit, by a factor of ten. So the
 * probe goes to the first instruction that the kernel emulates, if each call executes it, as the
 * first one, before the stack pointer moves. If there is none near the entry, the probe goes to the
 * entry.
 *
 * On no kernel a probe goes to a nop of 5 bytes or an equivalent: bad_kernels.c says why.
 *
 * Pure: bytes in, a place out. On aarch64 the place is always the entry.
 */
#ifndef TOPSTACKS_CAPTURE_PROBES_PLACEMENT_H
#define TOPSTACKS_CAPTURE_PROBES_PLACEMENT_H

#include "base/common.h"

#define PLACEMENT_MAX_BYTES 16 /* largest distance from the entry */

struct placement {
	size_t offset;	     /* from the function's first byte */
	unsigned int length; /* of the instruction there, in bytes */
	bool is_emulated;    /* false: the kernel single-steps it, about 10 us a hit */
};

/*
 * Places a probe that hits once for each call. code: all bytes of the function, as a jump back to
 * its beginning would count as a call. arguments: if bit N-1 is set, argument N must still be in
 * its register. Returns 0; -ENOTSUP: no instruction can have a probe; -EILSEQ: the first
 * instruction is invalid.
 */
int placement__entry(struct placement *placement, const uint8_t *code, size_t size,
		     unsigned int arguments);

/*
 * Places a probe at the instruction at an offset, or right behind a nop that must have no probe.
 * Returns 0; -EINVAL: no instruction begins there; -ENOTSUP: neither it nor its successors can have
 * a probe.
 */
int placement__at(struct placement *placement, const uint8_t *code, size_t size, size_t offset);

#endif
