// SPDX-License-Identifier: GPL-2.0-only
/*
 * The programs of CIEs and FDEs: a small machine that moves a location forward and changes a state.
 *
 * Whatever the program says, the location never falls, never leaves the FDE, and the time is linear
 * in the program's length: nothing loops, nothing calls itself.
 */
#include "unwind/cfi.h"

#include <dwarf.h>

/* Missing in some versions of dwarf.h; none affects the registers followed. */
#define CFA_AARCH64_NEGATE_RA_STATE_WITH_PC 0x2c
#define CFA_MIPS_ADVANCE_LOC8		    0x1d

/*
 * Functions of the unwinder of exceptions that jump to a handler (gcc's __builtin_eh_return) hand
 * it what functions return results in, and so save that; hardly any other function does. They leave
 * at their end: they have what they saved replaced by what the handler is to find, tell debuggers,
 * and jump.
 */
#define RESULT	      0	  /* rax */
#define LEAVING_BYTES 192 /* libgcc's: 104 to 150 from the end for the last call but one */

/* Compilers nest remember_state once or twice. */
#define MAX_REMEMBERED 16

/* ---- expressions ---- */

/*
 * Expressions are not evaluated, only recognised: the few that compilers, linkers and well-known
 * assembly really use.
 *
 *   sp + n                        DW_OP_breg7 n                      where a register was saved
 *   *(fp - 8)                     DW_OP_breg6 -8; DW_OP_deref        gcc, functions that realign
 *   *(sp + 40) + 8                ...; DW_OP_plus_uconst 8           OpenSSL
 *   sp + 8 + ((ip & 15) >= 11) * 8                                   linkers, lazily bound stubs
 */

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

static void set_cfa_expression(struct cfi_state *state, struct cursor expression,
			       const struct cfi_machine *machine)
{
	uint64_t addend = 0;

	state->cfa = CFA_OTHER;
	if (match_plt(expression, machine, &state->offset)) {
		state->cfa = CFA_PLT;
		return;
	}
	if (!read_breg(&expression, &state->reg, &state->offset) ||
	    cursor__u8(&expression) != DW_OP_deref)
		return;
	if (cursor__left(&expression)) {
		if (cursor__u8(&expression) != DW_OP_plus_uconst)
			return;
		addend = cursor__uleb128(&expression);
	}
	state->addend = (int64_t)addend;
	if (!expression.bad && addend <= INT64_MAX && !cursor__left(&expression))
		state->cfa = CFA_DEREF;
}

static struct cfi_saved saved_of_expression(struct cursor expression,
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

/* ---- running a program ---- */

struct cfi_run {
	const struct cfi_source *source;
	const struct cfi_cie *cie;
	struct cursor program;
	struct cfi_state state;
	struct cfi_state *remembered; /* MAX_REMEMBERED of them */
	unsigned int nr_remembered;

	/* Members for an FDE; a CIE has no location, and no rows to append. */
	struct cfi_rows *rows;
	uint64_t location, end; /* relative to the text's base */
	bool may_jump;		/* to a handler of an exception */
};

static void fail(struct cfi_run *run)
{
	cursor__fail(&run->program);
}

static void emit_at(struct cfi_run *run, uint64_t location, bool is_unsure)
{
	run->state.is_unsure = is_unsure;
	cfi_rows__append(run->rows,
			 cfi_rows__encode((uint32_t)location, &run->state,
					  run->cie->record.is_signal, &run->source->machine));
}

/* Emits the current state for the code up to until. */
static void emit(struct cfi_run *run, uint64_t until)
{
	const uint64_t leaving = run->end < LEAVING_BYTES ? 0 : run->end - LEAVING_BYTES;

	emit_at(run, run->location, run->may_jump && run->location >= leaving);
	if (run->may_jump && run->location < leaving && until > leaving)
		emit_at(run, leaving, true);
}

/* Emits the current state up to new_location, and moves there. */
static void move_to(struct cfi_run *run, uint64_t new_location)
{
	if (!run->rows || new_location < run->location) {
		fail(run);
		return;
	}
	if (new_location == run->location)
		return;
	emit(run, new_location);
	run->location = new_location < run->end ? new_location : run->end;
	if (run->location == run->end) /* the rest is about other code */
		run->program.at = run->program.end;
}

static void advance(struct cfi_run *run, uint64_t delta)
{
	uint64_t nr_bytes;

	if (__builtin_mul_overflow(delta, run->cie->record.code_align, &nr_bytes) ||
	    nr_bytes > UINT32_MAX)
		nr_bytes = UINT32_MAX;
	move_to(run, run->location + nr_bytes);
}

static void set_location(struct cfi_run *run)
{
	uint64_t address = frame_section__pointer(run->cie->section, &run->program,
						  run->cie->record.pointer_encoding);
	uint64_t base = run->source->text.base;

	if (run->program.bad || address < base)
		fail(run);
	else
		move_to(run, address - base);
}

static void set_cfa_offset(struct cfi_run *run, int64_t offset)
{
	if (run->state.cfa != CFA_REGISTER)
		run->state.cfa = CFA_OTHER;
	run->state.offset = offset;
}

static void set_cfa(struct cfi_run *run, uint64_t reg, int64_t offset)
{
	run->state.cfa = CFA_REGISTER;
	run->state.reg = reg;
	run->state.offset = offset;
}

static int64_t factored(struct cfi_run *run, int64_t offset)
{
	int64_t bytes;

	if (__builtin_mul_overflow(offset, run->cie->record.data_align, &bytes)) {
		fail(run);
		return 0;
	}
	return bytes;
}

static int64_t read_offset(struct cfi_run *run)
{
	uint64_t offset = cursor__uleb128(&run->program);

	if (offset > INT64_MAX) {
		fail(run);
		return 0;
	}
	return (int64_t)offset;
}

static int64_t read_signed_factored(struct cfi_run *run)
{
	return factored(run, cursor__sleb128(&run->program));
}

/* The rule of a register, or NULL if it is not followed. */
static struct cfi_saved *find_saved(struct cfi_run *run, struct cfi_state *state, uint64_t reg)
{
	if (reg == run->cie->record.ra_register)
		return &state->ra;
	return reg == run->source->machine.fp ? &state->fp : NULL;
}

static void save(struct cfi_run *run, uint64_t reg, enum cfi_place place, int64_t offset)
{
	struct cfi_saved *saved = find_saved(run, &run->state, reg);

	if (saved)
		*saved = (struct cfi_saved){.place = place, .offset = offset};
	if (reg == RESULT && place == PLACE_CFA)
		run->may_jump = true;
}

static void restore(struct cfi_run *run, uint64_t reg)
{
	struct cfi_state initial = run->cie->initial;
	struct cfi_saved *saved = find_saved(run, &run->state, reg);

	if (!run->rows) /* a CIE has no state to return to */
		fail(run);
	else if (saved)
		*saved = *find_saved(run, &initial, reg);
}

static struct cursor read_expression(struct cfi_run *run)
{
	return cursor__cut(&run->program, cursor__uleb128(&run->program));
}

static void step_register(struct cfi_run *run, uint8_t operation)
{
	uint64_t reg = cursor__uleb128(&run->program);
	struct cursor expression;
	struct cfi_saved *saved;

	switch (operation) {
	case DW_CFA_offset_extended:
		save(run, reg, PLACE_CFA, factored(run, read_offset(run)));
		break;
	case DW_CFA_offset_extended_sf:
		save(run, reg, PLACE_CFA, read_signed_factored(run));
		break;
	case DW_CFA_GNU_negative_offset_extended:
		save(run, reg, PLACE_CFA, factored(run, -read_offset(run)));
		break;
	case DW_CFA_restore_extended:
		restore(run, reg);
		break;
	case DW_CFA_undefined:
		save(run, reg, PLACE_UNDEFINED, 0);
		break;
	case DW_CFA_same_value:
		save(run, reg, PLACE_SAME, 0);
		break;
	case DW_CFA_register:
		save(run, reg, PLACE_REGISTER,
		     (int64_t)(cursor__uleb128(&run->program) & INT64_MAX));
		break;
	case DW_CFA_val_offset:
	case DW_CFA_val_offset_sf:
		cursor__uleb128(&run->program);
		save(run, reg, PLACE_OTHER, 0);
		break;
	case DW_CFA_expression:
		saved = find_saved(run, &run->state, reg);
		expression = read_expression(run);
		if (saved)
			*saved = saved_of_expression(expression, &run->source->machine);
		break;
	case DW_CFA_val_expression:
		read_expression(run);
		save(run, reg, PLACE_OTHER, 0);
		break;
	default:
		fail(run);
	}
}

/*
 * Runs an operation whose two high bits are 0. Those without a case here change the place of one
 * saved register, their first operand, and are left to step_register().
 */
static void step_extended(struct cfi_run *run, uint8_t operation)
{
	uint64_t reg;

	switch (operation) {
	case DW_CFA_nop:
	case DW_CFA_GNU_window_save: /* aarch64: the return address is signed, or no longer */
	case CFA_AARCH64_NEGATE_RA_STATE_WITH_PC:
		break;
	case DW_CFA_GNU_args_size:
		cursor__uleb128(&run->program);
		break;
	case DW_CFA_remember_state:
		if (run->nr_remembered == MAX_REMEMBERED)
			fail(run);
		else
			run->remembered[run->nr_remembered++] = run->state;
		break;
	case DW_CFA_restore_state:
		if (run->nr_remembered == 0)
			fail(run);
		else
			run->state = run->remembered[--run->nr_remembered];
		break;
	case DW_CFA_set_loc:
		set_location(run);
		break;
	case DW_CFA_advance_loc1:
		advance(run, cursor__unsigned(&run->program, 1));
		break;
	case DW_CFA_advance_loc2:
		advance(run, cursor__unsigned(&run->program, 2));
		break;
	case DW_CFA_advance_loc4:
		advance(run, cursor__unsigned(&run->program, 4));
		break;
	case CFA_MIPS_ADVANCE_LOC8:
		advance(run, cursor__unsigned(&run->program, 8));
		break;
	case DW_CFA_def_cfa:
		reg = cursor__uleb128(&run->program);
		set_cfa(run, reg, read_offset(run));
		break;
	case DW_CFA_def_cfa_sf:
		reg = cursor__uleb128(&run->program);
		set_cfa(run, reg, read_signed_factored(run));
		break;
	case DW_CFA_def_cfa_register:
		if (run->state.cfa != CFA_REGISTER)
			run->state.cfa = CFA_OTHER; /* there is no offset to keep */
		run->state.reg = cursor__uleb128(&run->program);
		break;
	case DW_CFA_def_cfa_offset:
		set_cfa_offset(run, read_offset(run));
		break;
	case DW_CFA_def_cfa_offset_sf:
		set_cfa_offset(run, read_signed_factored(run));
		break;
	case DW_CFA_def_cfa_expression:
		set_cfa_expression(&run->state, read_expression(run), &run->source->machine);
		break;
	default:
		step_register(run, operation);
	}
}

/*
 * Runs an operation: the two high bits are the operation and the other six its operand, or the high
 * bits are 0.
 */
static void step(struct cfi_run *run)
{
	uint8_t operation = cursor__u8(&run->program);
	uint8_t operand = operation & 0x3f;

	switch (operation & 0xc0) {
	case DW_CFA_advance_loc:
		advance(run, operand);
		break;
	case DW_CFA_offset:
		save(run, operand, PLACE_CFA, factored(run, read_offset(run)));
		break;
	case DW_CFA_restore:
		restore(run, operand);
		break;
	default:
		step_extended(run, operation);
	}
}

void cfi_cie__run(struct cfi_cie *cie, const struct cfi_source *source)
{
	struct cfi_state remembered[MAX_REMEMBERED];
	struct cfi_run run = {
		.source = source,
		.cie = cie,
		.program = cie->record.program,
		.state = {.cfa = CFA_OTHER},
		.remembered = remembered,
	};

	while (cursor__left(&run.program))
		step(&run);
	cie->initial = run.state;
	cie->record.bad |= run.program.bad;
}

void cfi_fde__run(const struct cfi_fde *fde, uint32_t end, const struct cfi_cie *cie,
		  const struct cfi_source *source, struct cfi_rows *rows)
{
	struct cfi_state remembered[MAX_REMEMBERED];
	struct cfi_run run = {
		.source = source,
		.cie = cie,
		.program = {.at = fde->program, .end = fde->program + fde->program_bytes},
		.state = cie->initial,
		.remembered = remembered,
		.rows = rows,
		.location = fde->start,
		.end = end,
	};

	if (cie->is_go) {
		cfi_fde__run_go(fde, end, cie, source, rows);
		return;
	}
	if (cie->record.bad)
		fail(&run);
	while (cursor__left(&run.program) && !rows->error)
		step(&run);
	if (run.program.bad)
		cfi_rows__append_kind(rows, (uint32_t)run.location, UNWIND_OTHER);
	else if (run.location < run.end)
		emit(&run, run.end);
}
