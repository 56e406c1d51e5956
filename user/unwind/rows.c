// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rows: eight bytes from a state, in order, each different from its predecessor.
 *
 * What does not fit a row is never approximated: the row becomes UNWIND_OTHER, or its frame
 * pointer UNWIND_FP_LOST.
 */
#include "base/array.h"
#include "unwind/cfi.h"

#include <errno.h>

/* Bytes as whole words between min and max; false if they are not. */
static bool to_words(int64_t bytes, int64_t min, int64_t max, int64_t *words)
{
	*words = bytes / UNWIND_WORD;
	return bytes % UNWIND_WORD == 0 && *words >= min && *words <= max;
}

/* True if registers can be followed; otherwise kind is UNWIND_OTHER. */
static bool encode_cfa(const struct cfi_state *state, const struct cfi_machine *machine,
		       enum unwind_cfa *kind, int16_t *offset)
{
	bool from_sp = state->reg == machine->sp;
	int64_t words;

	*kind = UNWIND_OTHER;
	if (state->cfa == CFA_PLT) {
		*kind = UNWIND_PLT;
		*offset = (int16_t)state->offset;
		return true;
	}
	if (state->cfa == CFA_OTHER || (!from_sp && state->reg != machine->fp))
		return false;
	if (from_sp && state->cfa == CFA_REGISTER &&
	    to_words(state->offset, INT16_MAX + 1, UNWIND_FAR + INT16_MAX, &words)) {
		*kind = UNWIND_SP_FAR;
		*offset = (int16_t)(words - UNWIND_FAR);
		return true;
	}
	if (!to_words(state->offset, INT16_MIN, INT16_MAX, &words))
		return false;
	*offset = (int16_t)words;
	if (state->cfa == CFA_REGISTER)
		*kind = from_sp ? UNWIND_SP : UNWIND_FP;
	else if (state->addend == 0)
		*kind = from_sp ? UNWIND_SP_DEREF : UNWIND_FP_DEREF;
	else if (state->addend == UNWIND_WORD)
		*kind = from_sp ? UNWIND_SP_DEREF_8 : UNWIND_FP_DEREF_8;
	return *kind != UNWIND_OTHER;
}

static enum unwind_fp encode_fp(const struct cfi_saved *fp, uint8_t *offset)
{
	int64_t words = 0;

	*offset = 0;
	switch (fp->place) {
	case PLACE_SAME:
		return UNWIND_FP_SAME;
	case PLACE_CFA:
		if (fp->offset <= INT64_MIN + UINT8_MAX * UNWIND_WORD ||
		    !to_words(-fp->offset, 0, UINT8_MAX, &words))
			return UNWIND_FP_LOST;
		*offset = (uint8_t)words;
		return UNWIND_FP_AT_CFA;
	case PLACE_FP:
		if (!to_words(fp->offset, 0, UINT8_MAX, &words))
			return UNWIND_FP_LOST;
		*offset = (uint8_t)words;
		return UNWIND_FP_AT_FP;
	default:
		return UNWIND_FP_LOST;
	}
}

/*
 * False if a row has no words for it. A return address that lies elsewhere than just below the CFA
 * shares fp_offset with the frame pointer: it must be in the word above it.
 */
static bool encode_ra(const struct cfi_state *state, const struct cfi_machine *machine,
		      enum unwind_fp fp, uint8_t *fp_offset, enum unwind_ra *kind)
{
	const struct cfi_saved *ra = &state->ra;
	int64_t words;

	*kind = state->is_unsure && !machine->has_link ? UNWIND_RA_UNSURE : UNWIND_RA_AT_CFA;
	if (ra->place == PLACE_CFA && ra->offset == -UNWIND_WORD)
		return true;
	if (!machine->has_link)
		return false;
	*kind = UNWIND_RA_LINK;
	if (ra->place == PLACE_SAME)
		return true;
	*kind = UNWIND_RA_BESIDE;
	if (ra->place != PLACE_CFA || ra->offset < -UINT8_MAX * UNWIND_WORD ||
	    !to_words(UNWIND_WORD - ra->offset, 0, UINT8_MAX, &words))
		return false;
	if (fp == UNWIND_FP_SAME || fp == UNWIND_FP_LOST)
		*fp_offset = (uint8_t)words;
	return (fp != UNWIND_FP_AT_FP) && *fp_offset == words;
}

/* The frame that the kernel builds for a signal handler is the same everywhere: known, or not. */
static bool is_signal_frame(const struct cfi_state *state, const struct cfi_machine *machine)
{
	return machine->has_signal && state->cfa == CFA_DEREF && state->reg == machine->sp &&
	       state->offset == UNWIND_SIGNAL_SP && state->addend == 0 &&
	       state->fp.place == PLACE_SP && state->fp.offset == UNWIND_SIGNAL_FP &&
	       state->ra.place == PLACE_SP && state->ra.offset == UNWIND_SIGNAL_PC;
}

struct unwind_row cfi_rows__encode(uint32_t pc, const struct cfi_state *state, bool is_signal,
				   const struct cfi_machine *machine)
{
	struct unwind_row row = {.pc = pc, .rules = UNWIND_OTHER};
	int16_t cfa_offset;
	uint8_t fp_offset;
	enum unwind_cfa cfa;
	enum unwind_fp fp;
	enum unwind_ra ra;

	if (state->ra.place == PLACE_UNDEFINED) {
		row.rules = UNWIND_END;
		return row;
	}
	if (is_signal) {
		if (is_signal_frame(state, machine))
			row.rules = UNWIND_SIGNAL;
		return row;
	}
	fp = encode_fp(&state->fp, &fp_offset);
	if (encode_ra(state, machine, fp, &fp_offset, &ra) &&
	    encode_cfa(state, machine, &cfa, &cfa_offset)) {
		row.cfa_offset = cfa_offset;
		row.fp_offset = fp_offset;
		row.rules = UNWIND_RULES(cfa, fp, ra);
	}
	return row;
}

static bool is_same(struct unwind_row a, struct unwind_row b)
{
	return a.cfa_offset == b.cfa_offset && a.fp_offset == b.fp_offset && a.rules == b.rules;
}

void cfi_rows__append(struct cfi_rows *rows, struct unwind_row row)
{
	if (rows->error)
		return;
	if (rows->nr && rows->rows[rows->nr - 1].pc == row.pc)
		rows->nr--;
	if (rows->nr && is_same(rows->rows[rows->nr - 1], row))
		return;
	if (rows->nr == UNWIND_MAX_ROWS) {
		rows->error = -E2BIG;
		return;
	}
	rows->error = array__reserve(&rows->rows, &rows->capacity, rows->nr + 1);
	if (!rows->error)
		rows->rows[rows->nr++] = row;
}

void cfi_rows__append_kind(struct cfi_rows *rows, uint32_t pc, enum unwind_cfa kind)
{
	cfi_rows__append(rows, (struct unwind_row){.pc = pc, .rules = kind});
}
