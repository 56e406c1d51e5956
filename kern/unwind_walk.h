/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From a frame to its caller by one row: pure, and the same in the BPF program and in tests.
 *
 * Who includes this defines before how memory of the walked process is read; 0 is success:
 *	static inline int unwind_read(void *context, __u64 address, void *to, __u32 nr_bytes);
 */
#ifndef TOPSTACKS_UNWIND_WALK_H
#define TOPSTACKS_UNWIND_WALK_H

#include <stdbool.h>

#include "topstacks/unwind_abi.h"

/* The step along a frame record {fp, return address}, for code without rows that keeps fp. */
#define UNWIND_FRAME_RECORD                   \
	((struct unwind_row){.cfa_offset = 2, \
			     .fp_offset = 2,  \
			     .rules =         \
				     UNWIND_RULES(UNWIND_FP, UNWIND_FP_AT_CFA, UNWIND_RA_AT_CFA)})

static inline __attribute__((always_inline)) enum unwind_step
unwind_step__cfa(struct unwind_row row, const struct unwind_registers *registers, void *context,
		 __u64 *cfa)
{
	__s64 offset = (__s64)row.cfa_offset * UNWIND_WORD;
	__u32 kind = UNWIND_CFA(row.rules);
	__u32 from_fp = kind == UNWIND_FP || kind == UNWIND_FP_DEREF || kind == UNWIND_FP_DEREF_8;

	if (from_fp && registers->fp_lost)
		return UNWIND_STEP_LOST;
	if (kind == UNWIND_PLT)
		offset = (registers->pc & 15) >= (__u64)row.cfa_offset ? 16 : 8;
	if (kind == UNWIND_SP_FAR)
		offset += UNWIND_FAR * UNWIND_WORD;
	*cfa = (from_fp ? registers->fp : registers->sp) + offset;
	if (kind <= UNWIND_FP || kind == UNWIND_PLT)
		return UNWIND_STEP_CALLER;
	if (unwind_read(context, *cfa, cfa, sizeof(*cfa)))
		return UNWIND_STEP_UNREADABLE;
	if (kind == UNWIND_SP_DEREF_8 || kind == UNWIND_FP_DEREF_8)
		*cfa += 8;
	return UNWIND_STEP_CALLER;
}

static inline __attribute__((always_inline)) enum unwind_step
unwind_step__signal(struct unwind_registers *registers, void *context)
{
	__u64 saved[(UNWIND_SIGNAL_PC - UNWIND_SIGNAL_FP) / UNWIND_WORD + 1];

	if (unwind_read(context, registers->sp + UNWIND_SIGNAL_FP, saved, sizeof(saved)))
		return UNWIND_STEP_UNREADABLE;
	registers->fp = saved[0];
	registers->fp_lost = 0;
	registers->sp = saved[(UNWIND_SIGNAL_SP - UNWIND_SIGNAL_FP) / UNWIND_WORD];
	registers->pc = saved[(UNWIND_SIGNAL_PC - UNWIND_SIGNAL_FP) / UNWIND_WORD];
	return UNWIND_STEP_INTERRUPTED;
}

/* Most frames: both saved words side by side, fp below the return address, just below the CFA. */
static inline __attribute__((always_inline)) enum unwind_step
unwind_step__saved(struct unwind_row row, struct unwind_registers *registers, void *context,
		   __u64 cfa)
{
	__u32 fp_rule = UNWIND_FP(row.rules), ra_rule = UNWIND_RA(row.rules);
	__u64 slot = cfa - (__u64)row.fp_offset * UNWIND_WORD; /* of fp */
	__u64 pair[2] = {registers->fp, registers->link};

	if (fp_rule == UNWIND_FP_AT_FP) {
		if (registers->fp_lost)
			return UNWIND_STEP_LOST;
		slot = registers->fp + (__u64)row.fp_offset * UNWIND_WORD;
	}
	if (ra_rule == UNWIND_RA_LINK && !registers->link)
		return UNWIND_STEP_OTHER; /* only the innermost frame still has it */
	if (fp_rule == UNWIND_FP_AT_CFA && ra_rule == UNWIND_RA_AT_CFA && row.fp_offset == 2) {
		if (unwind_read(context, slot, pair, sizeof(pair)))
			return UNWIND_STEP_UNREADABLE;
	} else {
		if ((fp_rule == UNWIND_FP_AT_CFA || fp_rule == UNWIND_FP_AT_FP) &&
		    unwind_read(context, slot, &pair[0], UNWIND_WORD))
			return UNWIND_STEP_UNREADABLE;
		if (ra_rule != UNWIND_RA_LINK &&
		    unwind_read(context, ra_rule == UNWIND_RA_BESIDE ? slot + 8 : cfa - 8, &pair[1],
				UNWIND_WORD))
			return UNWIND_STEP_UNREADABLE;
	}
	registers->fp = pair[0];
	if (fp_rule != UNWIND_FP_SAME)
		registers->fp_lost = fp_rule == UNWIND_FP_LOST;
	registers->pc = UNWIND_ADDRESS(pair[1]);
	registers->link = 0;
	registers->sp = cfa;
	return registers->pc ? UNWIND_STEP_CALLER : UNWIND_STEP_END;
}

static inline __attribute__((always_inline)) enum unwind_step
unwind_step(struct unwind_row row, struct unwind_registers *registers, void *context)
{
	enum unwind_step step;
	__u64 cfa;

	switch (UNWIND_CFA(row.rules)) {
	case UNWIND_SIGNAL:
		return unwind_step__signal(registers, context);
	case UNWIND_END:
		return UNWIND_STEP_END;
	case UNWIND_NONE:
		return UNWIND_STEP_NONE;
	case UNWIND_OTHER:
		return UNWIND_STEP_OTHER;
	}
	step = unwind_step__cfa(row, registers, context, &cfa);
	if (step != UNWIND_STEP_CALLER)
		return step;
	/* A leaf of aarch64 may have no frame at all. */
	if (cfa < registers->sp || (cfa == registers->sp && UNWIND_RA(row.rules) != UNWIND_RA_LINK))
		return UNWIND_STEP_BACKWARDS;
	return unwind_step__saved(row, registers, context, cfa);
}

/*
 * Whether the step along the row of frame index, from the leaf on, may lead past frames. It does if
 * - nobody knows whether a call made this frame: what leaves for a handler of an exception, itself or by a
 *   function that it calls, has written a part of where it goes over where it came from;
 * - the leaf's return address is 0: nobody begins with a leaf, so that its rule is wrong.
 */
static inline __attribute__((always_inline)) bool
unwind_row__is_unsure(struct unwind_row row, enum unwind_step step, __u64 index)
{
	const bool has_caller = UNWIND_CFA(row.rules) < UNWIND_SIGNAL;

	if (has_caller && index <= 1 && UNWIND_RA(row.rules) == UNWIND_RA_UNSURE)
		return true;
	return has_caller && index == 0 && step == UNWIND_STEP_END;
}

/*
 * Of a frame that no call returns to: no function is known one byte before it, but one begins there.
 * Somebody made it, for a signal handler or for a stack of its own to return to; the latter begins so.
 */
static inline __attribute__((always_inline)) struct unwind_row
unwind_row__of_made(struct unwind_row row)
{
	const __u32 kind = UNWIND_CFA(row.rules);

	if (kind == UNWIND_NONE || kind == UNWIND_SIGNAL)
		return row;
	return (struct unwind_row){.pc = row.pc, .rules = UNWIND_END};
}

#endif
