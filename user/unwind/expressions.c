// SPDX-License-Identifier: GPL-2.0-only
/*
 * DWARF expressions are not evaluated, only recognised: the few that compilers, linkers and
 * well-known assembly really use.
 *
 *   sp + n                        DW_OP_breg7 n                      where a register was saved
 *   *(fp - 8)                     DW_OP_breg6 -8; DW_OP_deref        gcc, functions that realign
 *   *(sp + 40) + 8                ...; DW_OP_plus_uconst 8           OpenSSL
 *   sp + 8 + ((ip & 15) >= 11) * 8                                   linkers, lazily bound stubs
 */
#include "base/cursor.h"
#include "unwind/cfi.h"

#include <dwarf.h>

/*
 * Matches the expression of PLT stubs. Kinds of stubs differ in the threshold, the byte between
 * `before` and `after`.
 */
static bool match_plt(struct cursor expression, const struct cfi_machine *machine,
		      int64_t *threshold)
{
	const uint8_t before[] = {
		DW_OP_breg0 + machine->sp, 8, DW_OP_breg0 + machine->ip, 0, DW_OP_lit15, DW_OP_and};
	const uint8_t after[] = {DW_OP_ge, DW_OP_lit3, DW_OP_shl, DW_OP_plus};
	const uint8_t *at = expression.at;
	size_t nr_bytes = cursor__left(&expression);

	if (nr_bytes != sizeof(before) + 1 + sizeof(after) || machine->ip > 31 ||
	    memcmp(at, before, sizeof(before)) != 0 ||
	    memcmp(at + sizeof(before) + 1, after, sizeof(after)) != 0)
		return false;
	*threshold = at[sizeof(before)] - DW_OP_lit0;
	return *threshold >= 0 && *threshold <= 15;
}

/* Reads a register plus an offset. */
static bool read_breg(struct cursor *expression, uint64_t *reg, int64_t *offset)
{
	uint8_t operation = cursor__u8(expression);

	if (operation >= DW_OP_breg0 && operation <= DW_OP_breg31)
		*reg = operation - DW_OP_breg0;
	else if (operation == DW_OP_bregx)
		*reg = cursor__uleb128(expression);
	else
		return false;
	*offset = cursor__sleb128(expression);
	return !expression->bad;
}

static int64_t read_addend(struct cursor *expression)
{
	uint64_t addend;

	if (!cursor__left(expression))
		return 0;
	if (cursor__u8(expression) != DW_OP_plus_uconst) {
		cursor__fail(expression);
		return 0;
	}
	addend = cursor__uleb128(expression);
	if (addend > INT64_MAX)
		cursor__fail(expression);
	return (int64_t)addend;
}

void cfi_state__set_cfa_expression(struct cfi_state *state, struct cursor expression,
				   const struct cfi_machine *machine)
{
	state->cfa = CFA_OTHER;
	if (match_plt(expression, machine, &state->offset)) {
		state->cfa = CFA_PLT;
		return;
	}
	if (!read_breg(&expression, &state->reg, &state->offset) ||
	    cursor__u8(&expression) != DW_OP_deref)
		return;
	state->addend = read_addend(&expression);
	if (!expression.bad && !cursor__left(&expression))
		state->cfa = CFA_DEREF;
}

struct cfi_saved cfi_saved__of_expression(struct cursor expression,
					  const struct cfi_machine *machine)
{
	struct cfi_saved saved = {.place = PLACE_OTHER};
	uint64_t reg;

	if (!read_breg(&expression, &reg, &saved.offset) || cursor__left(&expression))
		return saved;
	if (reg == machine->sp)
		saved.place = PLACE_SP;
	else if (reg == machine->fp)
		saved.place = PLACE_FP;
	return saved;
}
