// SPDX-License-Identifier: GPL-2.0-only
/*
 * Frames of Go's functions, from the table with which its runtime unwinds. Programs linked with -w
 * have no other, and most released ones are. For each function it has the depth of the stack
 * (pcvalue in runtime/symtab.go of the Go sources), two numbers a step in LEB128:
 *
 *	depth's difference, zigzag; pc's difference in units
 *			the depth, from -1 on, holds up to that pc
 *	0		the end; not as the first depth
 *
 * The return address is above the depth. The table does not tell where the frame pointer is saved;
 * Go's own frames do not need it.
 */

#include "elf/pclntab.h"
#include "unwind/cfi.h"

/* Outermost functions. The runtime marks them by a flag that early versions of the table lack. */
static const char *const outermost[] = {"runtime.goexit", "runtime.mstart", "runtime.rt0_go"};

/* Functions that a signal handler makes a goroutine call at any instruction. */
static const char *const injected[] = {"runtime.asyncPreempt", "runtime.asyncPreempt.abi0"};

/* Functions to which the kernel returns from signal handlers: __restore_rt, in C. */
static const char *const trampolines[] = {"runtime.sigreturn", "runtime.sigreturn__sigaction"};

#define COUNT(names) (sizeof(names) / sizeof((names)[0]))

static bool is_among(const struct go_function *function, const char *const *names, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		const size_t nr_bytes = strlen(names[i]) + 1;

		if (nr_bytes <= function->max_name_bytes &&
		    !memcmp(function->name, names[i], nr_bytes))
			return true;
	}
	return false;
}

/* ---- records ---- */

enum go_cie {
	GO_FRAME,
	GO_INJECTED,
	GO_OUTERMOST,
	GO_TRAMPOLINE,
	NR_GO_CIES,
};

static enum go_cie cie_of(const struct go_function *function)
{
	if (is_among(function, outermost, COUNT(outermost)))
		return GO_OUTERMOST;
	if (is_among(function, trampolines, COUNT(trampolines)))
		return GO_TRAMPOLINE;
	if (is_among(function, injected, COUNT(injected)))
		return GO_INJECTED;
	return GO_FRAME;
}

static int add_function(struct cfi_records *records, const struct cfi_source *source,
			const struct go_function *function, uint32_t first_cie)
{
	const enum go_cie cie = cie_of(function);
	const bool has_depths = cie == GO_FRAME || cie == GO_INJECTED;
	struct cfi_fde *last = records->nr_fdes ? &records->fdes[records->nr_fdes - 1] : NULL;
	const struct cfi_fde fde = {
		.program = has_depths ? function->depths : NULL,
		.program_bytes = has_depths ? (uint32_t)function->max_depths_bytes : 0,
		.cie = first_cie + cie,
	};

	if (has_depths && !function->depths)
		return 0;
	/*
	 * A trampoline has no caller, but callers are looked up one byte before the return address,
	 * so nothing may be known there. Go has no gaps between functions, but padding.
	 */
	if (cie == GO_TRAMPOLINE && last && last->end == function->start - source->text.base &&
	    last->end - last->start > 1)
		last->end--;
	return cfi_records__add_fde(records, &source->text, function->start,
				    function->end - function->start, &fde);
}

int cfi_records__add_go(struct cfi_records *records, const struct cfi_source *source)
{
	const struct cfi_cie cies[NR_GO_CIES] = {
		[GO_FRAME] = {.record.offset = UINT32_MAX, .is_go = true},
		[GO_INJECTED] = {.record.offset = UINT32_MAX,
				 .is_go = true,
				 .initial.is_unsure = true},
		[GO_OUTERMOST] = {.record.offset = UINT32_MAX, .initial.ra.place = PLACE_UNDEFINED},
		[GO_TRAMPOLINE] = {.record.offset = UINT32_MAX,
				   .record.is_signal = true,
				   .initial = {.cfa = CFA_DEREF,
					       .reg = source->machine.sp,
					       .offset = UNWIND_SIGNAL_SP,
					       .fp = {PLACE_SP, UNWIND_SIGNAL_FP},
					       .ra = {PLACE_SP, UNWIND_SIGNAL_PC}}},
	};
	const uint32_t first_cie = (uint32_t)records->nr_cies;
	struct go_function function;
	int err = 0;

	if (!source->go.nr_functions)
		return 0;
	for (size_t i = 0; i < NR_GO_CIES && !err; i++)
		err = cfi_records__add_cie(records, &cies[i]);
	for (uint64_t i = 0; i < source->go.nr_functions && !err; i++)
		if (pclntab__function(&source->go, i, &function))
			err = add_function(records, source, &function, first_cie);
	return err;
}

/* ---- rows ---- */

static struct cfi_state state_at(int64_t depth, const struct cfi_machine *machine)
{
	struct cfi_state state = {
		.cfa = CFA_REGISTER,
		.reg = machine->sp,
		.offset = depth + (machine->link ? 0 : UNWIND_WORD),
		.fp.place = depth ? PLACE_OTHER : PLACE_SAME,
		.ra = {PLACE_CFA, -UNWIND_WORD},
	};

	if (machine->link && depth) { /* at sp, with the frame pointer below it */
		state.fp = (struct cfi_saved){PLACE_CFA, -depth - UNWIND_WORD};
		state.ra = (struct cfi_saved){PLACE_CFA, -depth};
	} else if (machine->link) {
		state.ra.place = PLACE_SAME;
	}
	return state;
}

/* Each step moves the pc on, so the time is linear in the code, even if functions share lists. */
void cfi_fde__run_go(const struct cfi_fde *fde, uint32_t end, const struct cfi_cie *cie,
		     const struct cfi_source *source, struct cfi_rows *rows)
{
	struct cursor depths = {.at = fde->program, .end = fde->program + fde->program_bytes};
	uint64_t pc = fde->start;
	int64_t depth = -1;

	while (pc < end && !rows->error) {
		const uint32_t difference = (uint32_t)cursor__uleb128(&depths);
		struct cfi_state state;
		uint32_t units;

		if (!difference && pc > fde->start)
			break;
		depth += (int64_t)(difference >> 1) ^ -(int64_t)(difference & 1);
		units = (uint32_t)cursor__uleb128(&depths);
		if (!units || depth < 0)
			cursor__fail(&depths);
		if (depths.bad)
			break;
		state = state_at(depth, &source->machine);
		state.is_unsure = cie->initial.is_unsure;
		cfi_rows__append(rows,
				 cfi_rows__encode((uint32_t)pc, &state, false, &source->machine));
		pc += (uint64_t)units * source->go.unit;
	}
	if (pc < end) /* the list may end properly where the code ends early */
		cfi_rows__append_kind(rows, (uint32_t)pc, depths.bad ? UNWIND_OTHER : UNWIND_NONE);
}
