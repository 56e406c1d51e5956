/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Steps from a frame to its caller by one row. Pure, and the same in the BPF program and in tests.
 *
 * The including file first defines how memory of the walked process is read (0 is success), and how
 * a signature is removed from a return address (aarch64):
 *	static inline int unwind_read(void *context, __u64 address, void *to, __u32 nr_bytes);
 *	static inline __u64 unwind_address(__u64 word);
 */
#ifndef TOPSTACKS_KERN_UNWIND_UNWIND_WALK_H
#define TOPSTACKS_KERN_UNWIND_UNWIND_WALK_H

#include <stdbool.h>

#include "topstacks/unwind_abi.h"

static inline __attribute__((always_inline)) bool unwind_row__is_far(struct unwind_row row)
{
	return UNWIND_CFA(row.rules) == UNWIND_SP_FAR || UNWIND_CFA(row.rules) == UNWIND_SP_VAST;
}

/* Return the row's n, with k, and m; see UNWIND_SP_FAR and UNWIND_SP_VAST. */
static inline __attribute__((always_inline)) __s64 unwind_row__cfa_words(struct unwind_row row)
{
	const bool is_vast = UNWIND_CFA(row.rules) == UNWIND_SP_VAST;
	const __s64 words = row.cfa_offset;
	__u32 k = row.fp_offset >> 3;

	if (!unwind_row__is_far(row))
		return words;
	if (is_vast && UNWIND_FP(row.rules) != UNWIND_FP_AT_CFA)
		k = row.fp_offset;
	return (words + UNWIND_FAR * (1 + k)) << is_vast;
}

static inline __attribute__((always_inline)) __u64 unwind_row__fp_words(struct unwind_row row)
{
	return row.fp_offset & (unwind_row__is_far(row) ? 7 : 255);
}

#ifdef UNWIND_HAS_LINK

/*
 * Recovers the lost sp from fp. By the rules of aarch64's calls (AAPCS64) fp points to the frame's
 * record {fp, return address}, if it has one, and the row tells where the record lies in the frame.
 */
static inline __attribute__((always_inline)) bool
unwind_step__find_sp(struct unwind_row row, struct unwind_registers *registers)
{
	const __u32 kind = UNWIND_CFA(row.rules), ra_rule = UNWIND_RA(row.rules);
	const __u64 fp_words = unwind_row__fp_words(row), offset = fp_words * UNWIND_WORD;

	if ((kind != UNWIND_SP && !unwind_row__is_far(row) && kind != UNWIND_SP_UNSURE) ||
	    registers->fp_lost || UNWIND_FP(row.rules) != UNWIND_FP_AT_CFA)
		return false;
	if (ra_rule == UNWIND_RA_ABOVE_SP)
		registers->sp = registers->fp + UNWIND_WORD - offset;
	else if (ra_rule == UNWIND_RA_BESIDE || (ra_rule == UNWIND_RA_AT_CFA && fp_words == 2))
		registers->sp =
			registers->fp + offset - (__u64)unwind_row__cfa_words(row) * UNWIND_WORD;
	else
		return false;
	return true;
}

#endif

static inline __attribute__((always_inline)) enum unwind_step
unwind_step__cfa(struct unwind_row row, struct unwind_registers *registers, void *context,
		 __u64 *cfa)
{
	__s64 offset = unwind_row__cfa_words(row) * UNWIND_WORD;
	__u32 kind = UNWIND_CFA(row.rules);
	__u32 from_fp = kind == UNWIND_FP || kind == UNWIND_FP_UNSURE || kind == UNWIND_FP_DEREF ||
			kind == UNWIND_FP_DEREF_8;

	if (from_fp && registers->fp_lost)
		return UNWIND_STEP_LOST;
#ifdef UNWIND_HAS_LINK
	if (registers->sp_lost && !from_fp && !unwind_step__find_sp(row, registers))
		return UNWIND_STEP_LOST;
#endif
	if (kind == UNWIND_PLT)
		offset = (registers->pc & 15) >= (__u64)row.cfa_offset ? 16 : 8;
	*cfa = (from_fp ? registers->fp : registers->sp) + offset;
	if (kind <= UNWIND_FP_UNSURE || kind == UNWIND_PLT)
		return UNWIND_STEP_CALLER;
	if (unwind_read(context, *cfa, cfa, sizeof(*cfa)))
		return UNWIND_STEP_UNREADABLE;
	if (kind == UNWIND_SP_DEREF_8 || kind == UNWIND_FP_DEREF_8)
		*cfa += 8;
	return UNWIND_STEP_CALLER;
}

/* The index of a register in the words read of a signal frame. */
#define UNWIND_SAVED(name) ((UNWIND_SIGNAL_##name - UNWIND_SIGNAL_FP) / UNWIND_WORD)

static inline __attribute__((always_inline)) enum unwind_step
unwind_step__signal(struct unwind_registers *registers, void *context)
{
	__u64 saved[UNWIND_SAVED(PC) + 1];

#ifdef UNWIND_HAS_LINK
	if (registers->sp_lost)
		return UNWIND_STEP_LOST;
#endif
	if (unwind_read(context, registers->sp + UNWIND_SIGNAL_FP, saved, sizeof(saved)))
		return UNWIND_STEP_UNREADABLE;
	registers->fp = saved[UNWIND_SAVED(FP)];
	registers->fp_lost = 0;
#ifdef UNWIND_HAS_LINK
	registers->link = unwind_address(saved[UNWIND_SAVED(LINK)]);
	registers->sp_lost = 0;
#else
	registers->link = registers->other_link = 0;
#endif
	registers->sp = saved[UNWIND_SAVED(SP)];
	registers->pc = saved[UNWIND_SAVED(PC)];
	return UNWIND_STEP_INTERRUPTED;
}

/*
 * Reads the saved fp and return address. In most frames they are adjacent, fp below the return
 * address, just below the CFA.
 */
static inline __attribute__((always_inline)) enum unwind_step
unwind_step__saved(struct unwind_row row, struct unwind_registers *registers, void *context,
		   __u64 cfa)
{
	__u32 fp_rule = UNWIND_FP(row.rules), ra_rule = UNWIND_RA(row.rules);
	const __u64 fp_words = unwind_row__fp_words(row);
	__u64 slot = cfa - fp_words * UNWIND_WORD; /* address of the saved fp */
	__u64 pair[2] = {registers->fp, registers->link};
#ifdef UNWIND_HAS_LINK
	const bool is_beside = ra_rule == UNWIND_RA_BESIDE || ra_rule == UNWIND_RA_ABOVE_SP;

	if (ra_rule == UNWIND_RA_ABOVE_SP)
		slot = registers->sp + (fp_words - 1) * UNWIND_WORD;
#else
	const bool is_beside = false;

	if (ra_rule == UNWIND_RA_LINK && fp_words)
		pair[1] = registers->other_link;
#endif

	if (fp_rule == UNWIND_FP_AT_FP) {
		if (registers->fp_lost)
			return UNWIND_STEP_LOST;
		slot = registers->fp + fp_words * UNWIND_WORD;
	}
	if (ra_rule == UNWIND_RA_LINK && !pair[1])
		return UNWIND_STEP_OTHER; /* only the innermost frame still has it */
	if (fp_rule == UNWIND_FP_AT_CFA && ra_rule == UNWIND_RA_AT_CFA && fp_words == 2) {
		if (unwind_read(context, slot, pair, sizeof(pair)))
			return UNWIND_STEP_UNREADABLE;
	} else {
		if ((fp_rule == UNWIND_FP_AT_CFA || fp_rule == UNWIND_FP_AT_FP) &&
		    unwind_read(context, slot, &pair[0], UNWIND_WORD))
			return UNWIND_STEP_UNREADABLE;
		if (ra_rule != UNWIND_RA_LINK &&
		    unwind_read(context, is_beside ? slot + 8 : cfa - 8, &pair[1], UNWIND_WORD))
			return UNWIND_STEP_UNREADABLE;
	}
	registers->fp = pair[0];
	if (fp_rule != UNWIND_FP_SAME)
		registers->fp_lost = fp_rule == UNWIND_FP_LOST;
	registers->pc = unwind_address(pair[1]);
	registers->link = 0;
	registers->other_link = 0;
	registers->sp_lost = 0;
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
	/* A leaf of aarch64 may have no frame at all; nor does vfork() have one. */
	if (cfa < registers->sp || (cfa == registers->sp && UNWIND_RA(row.rules) != UNWIND_RA_LINK))
		return UNWIND_STEP_BACKWARDS;
	return unwind_step__saved(row, registers, context, cfa);
}

/*
 * The unwinder of exceptions that is leaving may be so far from the leaf: its own function writes
 * to its frame, on aarch64 by memcpy().
 */
#ifdef UNWIND_HAS_LINK
#define UNWIND_LAST_UNSURE 2
#else
#define UNWIND_LAST_UNSURE 1
#endif

/*
 * Returns true if the step along the row may skip frames. index: of the frame, counted from the
 * leaf. This happens if
 * - it is unknown whether a call made this frame: code that leaves for an exception handler, itself
 * or through a function that it calls, has overwritten a part of its origin with its target;
 * - the leaf's return address is 0: no thread begins with a leaf, so the row is wrong.
 */
static inline __attribute__((always_inline)) bool
unwind_row__is_unsure(struct unwind_row row, enum unwind_step step, __u64 index)
{
	const __u32 kind = UNWIND_CFA(row.rules);

	if (index <= UNWIND_LAST_UNSURE && (kind == UNWIND_SP_UNSURE || kind == UNWIND_FP_UNSURE))
		return true;
	return kind < UNWIND_SIGNAL && index == 0 && step == UNWIND_STEP_END;
}

/*
 * Returns the row of a frame to which no call returns: a function begins at its pc, and none covers
 * the byte before. Code has made the frame, for a signal handler or a new stack to return to; the
 * latter begins with this frame.
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
