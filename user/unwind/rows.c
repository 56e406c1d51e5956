// SPDX-License-Identifier: GPL-2.0-only
/*
 * Encodes states as rows of eight bytes, in order, each different from the one before.
 *
 * A state that a row cannot express is never approximated: the row becomes UNWIND_OTHER, or its
 * frame pointer UNWIND_FP_LOST.
 */
#include "unwind/cfi.h"

#define MOST_FAR_WORDS	(UNWIND_FARS * UNWIND_FAR + INT16_MAX)
#define MOST_VAST_WORDS (2 * (UNWIND_VASTS * UNWIND_FAR + INT16_MAX))

/* Bytes as whole words between min and max; false if they are not. */
static bool to_words(int64_t bytes, int64_t min, int64_t max, int64_t *words)
{
	*words = bytes / UNWIND_WORD;
	return bytes % UNWIND_WORD == 0 && *words >= min && *words <= max;
}

/* False: registers cannot be followed from here, and kind is UNWIND_OTHER. */
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
	    to_words(state->offset, INT16_MAX + 1, MOST_VAST_WORDS, &words)) {
		*kind = words > MOST_FAR_WORDS ? UNWIND_SP_VAST : UNWIND_SP_FAR;
		if (*kind == UNWIND_SP_VAST && words % 2)
			return false;
		words /= *kind == UNWIND_SP_VAST ? 2 : 1;
		*offset = (int16_t)((words + INT16_MAX + 1) % UNWIND_FAR - INT16_MAX - 1);
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
 * Encodes a return address that is not just below the CFA. It shares fp_offset with the frame
 * pointer, which must be in the word below it. False: a row cannot express it.
 */
static bool encode_beside(const struct cfi_saved *ra, enum unwind_fp fp, uint8_t *fp_offset)
{
	int64_t words;

	if (ra->offset < -UINT8_MAX * UNWIND_WORD ||
	    !to_words(UNWIND_WORD - ra->offset, 0, UINT8_MAX, &words))
		return false;
	if (fp == UNWIND_FP_SAME || fp == UNWIND_FP_LOST)
		*fp_offset = (uint8_t)words;
	return fp != UNWIND_FP_AT_FP && *fp_offset == words;
}

/* The same relative to the CFA's register, for a frame so large that its CFA is too far away. */
static bool encode_far(const struct cfi_state *state, const struct cfi_machine *machine,
		       enum unwind_fp *fp, uint8_t *fp_offset, enum unwind_ra *kind)
{
	const struct cfi_saved *ra = &state->ra;
	const bool has_pair =
		state->fp.place == PLACE_CFA && state->fp.offset == ra->offset - UNWIND_WORD;
	const bool from_sp = state->reg == machine->sp;
	int64_t words;

	if (state->cfa != CFA_REGISTER || (!from_sp && state->reg != machine->fp) ||
	    (!has_pair && (!from_sp || state->fp.place == PLACE_FP)) ||
	    !to_words(state->offset + ra->offset, from_sp ? 0 : 1, UINT8_MAX, &words))
		return false;
	*kind = from_sp ? UNWIND_RA_ABOVE_SP : UNWIND_RA_BESIDE;
	*fp_offset = (uint8_t)(from_sp ? words : words - 1);
	if (has_pair)
		*fp = from_sp ? UNWIND_FP_AT_CFA : UNWIND_FP_AT_FP;
	else if (*fp == UNWIND_FP_AT_CFA)
		*fp = UNWIND_FP_LOST;
	return true;
}

/*
 * False: a row cannot express it. A return address in a register needs fp_offset for the register,
 * so the frame pointer must not need it.
 */
static bool encode_ra(const struct cfi_state *state, const struct cfi_machine *machine,
		      enum unwind_fp *fp, uint8_t *fp_offset, enum unwind_ra *kind)
{
	const struct cfi_saved *ra = &state->ra;

	*kind = UNWIND_RA_AT_CFA;
	if (ra->place == PLACE_CFA && ra->offset == -UNWIND_WORD)
		return true;
	*kind = UNWIND_RA_LINK;
	if (ra->place == PLACE_REGISTER) {
		if ((*fp != UNWIND_FP_SAME && *fp != UNWIND_FP_LOST) || !ra->offset)
			return false;
		*fp_offset = ra->offset == machine->call_links[1];
		return *fp_offset || ra->offset == machine->call_links[0];
	}
	if (!machine->link)
		return false;
	if (ra->place == PLACE_SAME)
		return true;
	*kind = UNWIND_RA_BESIDE;
	return ra->place == PLACE_CFA && ra->offset < 0 &&
	       (encode_beside(ra, *fp, fp_offset) ||
		encode_far(state, machine, fp, fp_offset, kind));
}

/*
 * Corrects glibc's functions for lazy binding on aarch64: they do not count the words that the stub
 * before them pushed, so the return address would be above the CFA, where no frame has it.
 */
static struct cfi_state count_stub(const struct cfi_state *state, const struct cfi_machine *machine)
{
	struct cfi_state counted = *state;

	if (!machine->link || state->cfa != CFA_REGISTER || state->ra.place != PLACE_CFA ||
	    state->ra.offset != UNWIND_WORD)
		return counted;
	counted.offset += 2 * UNWIND_WORD;
	counted.ra.offset -= 2 * UNWIND_WORD;
	counted.fp.offset -= state->fp.place == PLACE_CFA ? 2 * UNWIND_WORD : 0;
	counted.is_unsure = false; /* they save result registers too, but jump to no handler */
	return counted;
}

/*
 * Encodes how far the CFA is in the bits of fp_offset that are left; a frame pointer that needs
 * more of them, or leaves too few, is lost. A return address is not.
 */
static bool encode_far_words(const struct cfi_state *state, const struct cfi_machine *machine,
			     enum unwind_cfa cfa, enum unwind_ra ra, enum unwind_fp *fp,
			     uint8_t *fp_offset)
{
	const int64_t words = state->offset / UNWIND_WORD / (cfa == UNWIND_SP_VAST ? 2 : 1);
	const int64_t nr_far = (words + INT16_MAX + 1) / UNWIND_FAR - 1;
	const bool is_too_much = *fp_offset > 7 ||
				 (nr_far >= UNWIND_FARS && (*fp_offset || *fp == UNWIND_FP_AT_CFA));

	if (is_too_much && ra != UNWIND_RA_AT_CFA)
		return false;
	if (is_too_much) {
		*fp = UNWIND_FP_LOST;
		*fp_offset = 0;
	}
	if (cfa == UNWIND_SP_FAR || *fp == UNWIND_FP_AT_CFA) {
		*fp_offset |= (uint8_t)(nr_far << 3);
		return true;
	}
	if (*fp == UNWIND_FP_AT_FP || *fp_offset ||
	    (ra != UNWIND_RA_AT_CFA && (ra != UNWIND_RA_LINK || !machine->link)))
		return false;
	*fp_offset = (uint8_t)nr_far;
	return true;
}

/*
 * Whether the state is the frame that the kernel builds for signal handlers, which is the same in
 * all programs.
 */
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
	struct cfi_state counted;
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
	counted = count_stub(state, machine);
	fp = encode_fp(&counted.fp, &fp_offset);
	if (encode_ra(&counted, machine, &fp, &fp_offset, &ra) &&
	    encode_cfa(&counted, machine, &cfa, &cfa_offset) &&
	    ((cfa != UNWIND_SP_FAR && cfa != UNWIND_SP_VAST) ||
	     encode_far_words(&counted, machine, cfa, ra, &fp, &fp_offset)) &&
	    (!counted.is_unsure || cfa == UNWIND_SP || cfa == UNWIND_FP)) {
		if (counted.is_unsure)
			cfa = cfa == UNWIND_SP ? UNWIND_SP_UNSURE : UNWIND_FP_UNSURE;
		row.cfa_offset = cfa_offset;
		row.fp_offset = fp_offset;
		row.rules = UNWIND_RULES(cfa, fp, ra);
	}
	return row;
}

void cfi_rows__append(struct cfi_rows *rows, struct unwind_row row)
{
	const struct unwind_row *last;

	if (rows->error)
		return;
	if (rows->nr && rows->rows[rows->nr - 1].pc == row.pc)
		rows->nr--;
	last = rows->nr ? &rows->rows[rows->nr - 1] : NULL;
	if (last && last->cfa_offset == row.cfa_offset && last->fp_offset == row.fp_offset &&
	    last->rules == row.rules)
		return;
	if (rows->nr == UNWIND_MAX_ROWS) {
		rows->error = -E2BIG;
		return;
	}
	rows->error = array__try_reserve(&rows->rows, &rows->capacity, rows->nr + 1);
	if (!rows->error)
		rows->rows[rows->nr++] = row;
}

void cfi_rows__append_kind(struct cfi_rows *rows, uint32_t pc, enum unwind_cfa kind)
{
	cfi_rows__append(rows, (struct unwind_row){.pc = pc, .rules = kind});
}
