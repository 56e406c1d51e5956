// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compares our rows with those of elfutils. For each file named, at every pc where a row of ours or
 * of elfutils starts, and at the last byte of each, both must give the same CFA, return address and
 * frame pointer. A row of ours may say "other" only if eight bytes cannot hold the rule.
 *
 *	file               rows   compared  differ   other    lost   added     bytes       ms
 *	libc.so.6         28275      51710       0       5       0       0    226200      1.0
 *
 * The program fails if anything differs, or if nothing was compared.
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "unwind/unwind.h"

/* DWARF's numbers of registers. */
struct machine {
	int fp, sp, ra;
	bool has_link;
};

static const struct machine x86_64 = {6, 7, 16, false}, aarch64 = {29, 31, 30, true};

/* The form of a rule, into which both sides are translated. */
enum form { NOWHERE, SAME, UNDEFINED, REGISTER, DEREF, PLT, CFA, IN_REGISTER, OTHER };

struct rule_place {
	enum form form;
	int64_t reg, offset, addend;
};

struct rule {
	bool covered, is_signal, damaged;
	struct rule_place cfa, fp, ra;
};

struct score {
	uint64_t compared, differ, other, lost, added;
};

/*
 * The two sides, and the ELF file, which tells of code where call frame information does not: a
 * program's entry is outermost, and PLT stubs have rules that are known.
 */
struct sides {
	const struct unwind_table *table;
	Dwarf_CFI *cfi, *debug_cfi; /* .eh_frame, .debug_frame; NULL: the file has none */
	Elf *elf;
	const struct machine *machine;
	uint64_t entry;
};

/* ---- elfutils ---- */

static bool is_breg(const Dwarf_Op *op, struct rule_place *place)
{
	if (op->atom == DW_OP_bregx) {
		place->reg = (int64_t)op->number;
		place->offset = (int64_t)op->number2;
	} else if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31) {
		place->reg = op->atom - DW_OP_breg0;
		place->offset = (int64_t)op->number;
	} else {
		return false;
	}
	return true;
}

static bool is_plt(const Dwarf_Op *ops, size_t nr, struct rule_place *place)
{
	static const uint8_t atoms[] = {DW_OP_breg7, DW_OP_breg16, DW_OP_lit15, DW_OP_and, 0,
					DW_OP_ge,    DW_OP_lit3,   DW_OP_shl,	DW_OP_plus};
	size_t i;

	if (nr != sizeof(atoms) || ops[0].number != 8 || ops[1].number != 0)
		return false;
	for (i = 0; i < nr; i++)
		if (atoms[i] && ops[i].atom != atoms[i])
			return false;
	place->offset = ops[4].atom - DW_OP_lit0;
	return true;
}

static struct rule_place cfa_of_ops(const Dwarf_Op *ops, size_t nr)
{
	struct rule_place place = {.form = OTHER};

	if (is_plt(ops, nr, &place)) {
		place.form = PLT;
	} else if (nr >= 1 && is_breg(&ops[0], &place)) {
		if (nr == 1)
			place.form = REGISTER;
		else if (nr == 2 && ops[1].atom == DW_OP_deref)
			place.form = DEREF;
		else if (nr == 3 && ops[1].atom == DW_OP_deref && ops[2].atom == DW_OP_plus_uconst)
			place = (struct rule_place){DEREF, place.reg, place.offset,
						    (int64_t)ops[2].number};
	}
	return place;
}

static struct rule_place place_of_register(Dwarf_Frame *frame, int reg)
{
	struct rule_place place = {.form = OTHER};
	Dwarf_Op memory[3], *ops;
	size_t nr;

	if (dwarf_frame_register(frame, reg, memory, &ops, &nr))
		return place;
	if (nr == 0)
		place.form = ops ? UNDEFINED : SAME;
	else if (nr == 1 && ops[0].atom == DW_OP_regx)
		place = (struct rule_place){.form = IN_REGISTER, .reg = (int64_t)ops[0].number};
	else if (nr == 1 && ops[0].atom >= DW_OP_reg0 && ops[0].atom <= DW_OP_reg31)
		place = (struct rule_place){.form = IN_REGISTER, .reg = ops[0].atom - DW_OP_reg0};
	else if (nr == 1 && ops[0].atom == DW_OP_call_frame_cfa)
		place.form = CFA;
	else if (nr == 2 && ops[0].atom == DW_OP_call_frame_cfa && ops[1].atom == DW_OP_plus_uconst)
		place = (struct rule_place){.form = CFA, .offset = (int64_t)ops[1].number};
	else if (nr == 2 && ops[0].atom == DW_OP_call_frame_cfa && is_breg(&ops[1], &place))
		place.form = REGISTER; /* an expression, which begins with the CFA pushed */
	return place;
}

/*
 * Adds two words to the rule of a function of glibc for lazy binding, as our tables do. The file's
 * own rule does not count them.
 */
static void count_stub(struct rule *rule)
{
	if (rule->ra.form != CFA || rule->ra.offset != 8)
		return;
	rule->cfa.offset += 16;
	rule->ra.offset -= 16;
	rule->fp.offset -= rule->fp.form == CFA ? 16 : 0;
}

/* Returns the end of elfutils' row, or pc if it has none. */
static uint64_t rule_of_elfutils(Dwarf_CFI *cfi, const struct machine *machine, uint64_t pc,
				 struct rule *rule)
{
	Dwarf_Frame *frame;
	Dwarf_Addr start, end;
	Dwarf_Op *ops;
	size_t nr;

	*rule = (struct rule){0};
	if (!cfi)
		return pc;
	if (dwarf_cfi_addrframe(cfi, pc, &frame)) {
		rule->damaged = strcmp(dwarf_errmsg(-1), "no matching address range") != 0;
		return pc;
	}
	rule->covered = true;
	dwarf_frame_info(frame, &start, &end, &rule->is_signal);
	rule->cfa.form = OTHER;
	if (!dwarf_frame_cfa(frame, &ops, &nr))
		rule->cfa = cfa_of_ops(ops, nr);
	rule->fp = place_of_register(frame, machine->fp);
	rule->ra = place_of_register(frame, machine->ra);
	if (machine->has_link)
		count_stub(rule);
	free(frame);
	return end;
}

/* ---- ours ---- */

/*
 * Sets the place of a return address and perhaps of the frame pointer, which is in the word below.
 * Both are given from the CFA, as elfutils gives them.
 */
static void place_beside(const struct unwind_row *row, struct rule *rule)
{
	const int64_t offset = 8 * row->fp_offset;

	switch (UNWIND_RA(row->rules)) {
	case UNWIND_RA_AT_CFA:
		return;
	case UNWIND_RA_LINK:
		rule->ra = (struct rule_place){.form = SAME};
		return;
	case UNWIND_RA_ABOVE_SP:
		rule->ra.offset = offset - rule->cfa.offset;
		break;
	default:
		rule->ra.offset = 8 - offset;
		if (UNWIND_FP(row->rules) == UNWIND_FP_AT_FP)
			rule->ra.offset = 8 + offset - rule->cfa.offset;
	}
	if (UNWIND_FP(row->rules) == UNWIND_FP_AT_CFA || UNWIND_FP(row->rules) == UNWIND_FP_AT_FP)
		rule->fp = (struct rule_place){.form = CFA, .offset = rule->ra.offset - 8};
}

static struct rule rule_of_row(const struct unwind_row *full, const struct machine *machine)
{
	const bool is_vast = UNWIND_CFA(full->rules) == UNWIND_SP_VAST;
	const bool is_far = UNWIND_CFA(full->rules) == UNWIND_SP_FAR || is_vast;
	const bool has_m = !is_vast || UNWIND_FP(full->rules) == UNWIND_FP_AT_CFA;
	const struct unwind_row plain = {.cfa_offset = full->cfa_offset,
					 .fp_offset = full->fp_offset & (is_far ? 7 : UINT8_MAX),
					 .rules = full->rules};
	const struct unwind_row *row = &plain;
	const struct rule_place cfas[] = {
		[UNWIND_SP] = {REGISTER, machine->sp, 0, 0},
		[UNWIND_SP_FAR] = {REGISTER, machine->sp, 0, 0},
		[UNWIND_SP_VAST] = {REGISTER, machine->sp, 0, 0},
		[UNWIND_FP] = {REGISTER, machine->fp, 0, 0},
		[UNWIND_SP_UNSURE] = {REGISTER, machine->sp, 0, 0},
		[UNWIND_FP_UNSURE] = {REGISTER, machine->fp, 0, 0},
		[UNWIND_SP_DEREF] = {DEREF, machine->sp, 0, 0},
		[UNWIND_SP_DEREF_8] = {DEREF, machine->sp, 0, 8},
		[UNWIND_FP_DEREF] = {DEREF, machine->fp, 0, 0},
		[UNWIND_FP_DEREF_8] = {DEREF, machine->fp, 0, 8},
		[UNWIND_PLT] = {PLT, machine->sp, 0, 0},
	};
	struct rule rule = {.covered = true, .ra = {CFA, 0, -8, 0}};

	if (row->rules == UNWIND_SIGNAL)
		return (struct rule){.covered = true,
				     .is_signal = true,
				     .cfa = {DEREF, machine->sp, 160, 0},
				     .fp = {REGISTER, machine->sp, 120, 0},
				     .ra = {REGISTER, machine->sp, 168, 0}};
	rule.cfa = cfas[UNWIND_CFA(row->rules)];
	rule.cfa.offset = row->cfa_offset * (rule.cfa.form == PLT ? 1 : 8);
	if (is_far)
		rule.cfa.offset += 524288 * (1 + (has_m ? full->fp_offset >> 3 : full->fp_offset));
	if (is_vast)
		rule.cfa.offset *= 2;
	if (UNWIND_FP(row->rules) == UNWIND_FP_SAME)
		rule.fp.form = SAME;
	else if (UNWIND_FP(row->rules) == UNWIND_FP_AT_CFA)
		rule.fp = (struct rule_place){.form = CFA, .offset = -8 * row->fp_offset};
	else if (UNWIND_FP(row->rules) == UNWIND_FP_AT_FP)
		rule.fp = (struct rule_place){
			.form = REGISTER, .reg = machine->fp, .offset = 8 * row->fp_offset};
	if (machine->has_link)
		place_beside(row, &rule);
	else if (UNWIND_RA(row->rules) == UNWIND_RA_LINK)
		rule.ra = (struct rule_place){.form = IN_REGISTER, .reg = row->fp_offset ? 1 : 5};
	return rule;
}

static bool is_same_place(const struct rule_place *a, const struct rule_place *b)
{
	if (a->form != b->form)
		return false;
	if (a->form == PLT)
		return a->offset == b->offset;
	return a->form < REGISTER ||
	       (a->reg == b->reg && a->offset == b->offset && a->addend == b->addend);
}

/* ---- Comparing ---- */

static bool is_words(int64_t bytes, int64_t min, int64_t max)
{
	return bytes % 8 == 0 && bytes / 8 >= min && bytes / 8 <= max;
}

static bool is_near(const struct rule_place *cfa, const struct machine *machine)
{
	return cfa->reg == machine->sp || cfa->reg == machine->fp;
}

/*
 * True if a row could have held this, so that "other" is wrong. On a machine with a link register
 * "other" is never wrong: it is only counted.
 */
static bool fits_cfa(const struct rule *rule, const struct machine *machine)
{
	const struct rule_place *cfa = &rule->cfa;

	if (machine->has_link || rule->is_signal || rule->ra.form != CFA || rule->ra.offset != -8)
		return false;
	if (cfa->form == PLT)
		return true;
	if (!is_near(cfa, machine))
		return false;
	if (cfa->form == REGISTER && cfa->reg == machine->sp)
		return is_words(cfa->offset, INT16_MIN, 2129919) ||
		       (cfa->offset % 16 == 0 && is_words(cfa->offset, 0, 33619966));
	return (cfa->form == REGISTER || (cfa->form == DEREF && !(cfa->addend & ~8))) &&
	       is_words(cfa->offset, INT16_MIN, INT16_MAX);
}

/*
 * True if a row could have held the rule of the frame pointer. Beside a return address that is far
 * from the CFA, a row has room only for a frame pointer in the word below.
 */
static bool fits_fp(const struct rule *rule, const struct machine *machine)
{
	const struct rule_place *fp = &rule->fp;

	if (machine->has_link && rule->ra.form == CFA && rule->ra.offset != -8 && fp->form == CFA)
		return fp->offset == rule->ra.offset - 8;
	return fp->form == SAME || (fp->form == CFA && is_words(-fp->offset, 0, UINT8_MAX)) ||
	       (fp->form == REGISTER && fp->reg == machine->fp &&
		is_words(fp->offset, 0, UINT8_MAX));
}

static bool is_in_stubs(Elf *elf, uint64_t pc)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	size_t names;
	const char *name;

	if (elf_getshdrstrndx(elf, &names))
		return false;
	while ((section = elf_nextscn(elf, section))) {
		name = gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name) : "";
		if (pc - header.sh_addr < header.sh_size && name &&
		    (!strncmp(name, ".plt", 4) || !strcmp(name, ".iplt")))
			return true;
	}
	return false;
}

/* True if ours is a rule that elfutils lacks, and we know why. */
static bool is_added(const struct sides *sides, uint64_t pc, const struct unwind_row *row,
		     const struct rule *theirs)
{
	if (theirs->covered || theirs->damaged)
		return false;
	if (sides->debug_cfi && UNWIND_CFA(row->rules) < UNWIND_NONE)
		return true; /* elfutils reads .debug_frame up to the first terminator only */
	if (row->rules == UNWIND_END)
		return pc - sides->entry < 64;
	return (UNWIND_CFA(row->rules) == UNWIND_SP || row->rules == UNWIND_PLT) &&
	       is_in_stubs(sides->elf, pc);
}

static bool agrees(const struct unwind_row *row, const struct rule *theirs,
		   const struct machine *machine)
{
	struct rule ours;

	switch (UNWIND_CFA(row->rules)) {
	case UNWIND_NONE:
		return !theirs->covered && !theirs->damaged;
	case UNWIND_END:
		return theirs->covered && theirs->ra.form == UNDEFINED;
	case UNWIND_OTHER:
		return theirs->damaged || (theirs->covered && !fits_cfa(theirs, machine));
	}
	ours = rule_of_row(row, machine);
	if (!theirs->covered || ours.is_signal != theirs->is_signal ||
	    !is_same_place(&ours.cfa, &theirs->cfa) || !is_same_place(&ours.ra, &theirs->ra))
		return false;
	if (UNWIND_FP(row->rules) == UNWIND_FP_LOST)
		return !fits_fp(theirs, machine);
	return is_same_place(&ours.fp, &theirs->fp);
}

static void print_place(const char *name, const struct rule_place *place)
{
	static const char *const forms[] = {"-",     "same", "undefined", "register",
					    "deref", "plt",  "cfa",	  "other"};

	printf(" %s=%s(r%" PRId64 " %+" PRId64 " %+" PRId64 ")", name, forms[place->form],
	       place->reg, place->offset, place->addend);
}

static void report(uint64_t pc, const struct unwind_row *row, const struct rule *theirs)
{
	printf("  %#" PRIx64 ": row {%d %u %#x}, elfutils", pc, row->cfa_offset, row->fp_offset,
	       row->rules);
	if (!theirs->covered) {
		printf(" nothing\n");
		return;
	}
	printf(theirs->is_signal ? " signal" : "");
	print_place("cfa", &theirs->cfa);
	print_place("fp", &theirs->fp);
	print_place("ra", &theirs->ra);
	printf("\n");
}

static uint64_t compare_at(const struct sides *sides, uint64_t pc, const struct unwind_row *row,
			   struct score *score)
{
	struct rule theirs;
	uint64_t end = rule_of_elfutils(sides->cfi, sides->machine, pc, &theirs);

	if (!theirs.covered && !theirs.damaged)
		end = rule_of_elfutils(sides->debug_cfi, sides->machine, pc, &theirs);

	score->compared++;
	if (is_added(sides, pc, row, &theirs))
		score->added++;
	else if (!agrees(row, &theirs, sides->machine) && score->differ++ < 20)
		report(pc, row, &theirs);
	return end;
}

/* Compares a row of ours, which covers [start, end), with all of elfutils' rows in it. */
static void compare_row(const struct sides *sides, uint64_t start, uint64_t end,
			const struct unwind_row *row, struct score *score)
{
	uint64_t pc = start, next;

	while (pc < end) {
		next = compare_at(sides, pc, row, score);
		if (next <= pc || next > end)
			next = end;
		if (next - 1 > pc)
			compare_at(sides, next - 1, row, score);
		pc = next;
	}
	score->other += row->rules == UNWIND_OTHER;
	score->lost += row->rules < UNWIND_OTHER && UNWIND_FP(row->rules) == UNWIND_FP_LOST;
}

/* Returns the address that a pc of 0 stands for. */
static uint64_t base_of(const struct sides *sides)
{
	GElf_Phdr header = {0};
	int64_t pc = 0;
	int i;

	for (i = 0; gelf_getphdr(sides->elf, i, &header); i++)
		if (header.p_type == PT_LOAD && (header.p_flags & PF_X) &&
		    !unwind_table__locate(sides->table, header.p_offset, &pc))
			break;
	return header.p_vaddr - (uint64_t)pc;
}

static void compare(const struct sides *sides, struct score *score)
{
	const uint64_t base = base_of(sides);
	uint32_t nr_rows, i;
	const struct unwind_row *rows = unwind_table__rows(sides->table, &nr_rows);

	for (i = 0; i + 1 < nr_rows; i++)
		compare_row(sides, base + rows[i].pc, base + rows[i + 1].pc, &rows[i], score);
}

static double now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/*
 * Builds the table a few times, and takes the fastest time: then the file was in memory, and no
 * other program had the CPU.
 */
static int build_timed(int fd, struct unwind_table **table, double *best_ms)
{
	double start;
	int round, err = 0;

	*table = NULL;
	*best_ms = 1e9;
	for (round = 0; round < 5 && !err; round++) {
		unwind_table__free(*table);
		*table = NULL;
		start = now_ms();
		err = unwind_table__build(fd, table);
		if (now_ms() - start < *best_ms)
			*best_ms = now_ms() - start;
	}
	return err;
}

static bool check_file(const char *path)
{
	const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	struct score score = {0};
	struct unwind_table *table;
	uint32_t nr_rows;
	double ms = 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int err = fd < 0 ? -errno : build_timed(fd, &table, &ms);
	struct sides sides;
	Dwarf *dwarf;
	GElf_Ehdr header;
	Elf *elf;

	if (err) {
		printf("%-20.20s %s\n", name, strerror(-err));
		return false;
	}
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	gelf_getehdr(elf, &header);
	dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	sides = (struct sides){table,
			       dwarf_getcfi_elf(elf),
			       dwarf ? dwarf_getcfi(dwarf) : NULL,
			       elf,
			       header.e_machine == EM_AARCH64 ? &aarch64 : &x86_64,
			       header.e_entry};
	compare(&sides, &score);
	unwind_table__rows(table, &nr_rows);
	printf("%-20.20s %8u %10" PRIu64 " %7" PRIu64 " %7" PRIu64 " %7" PRIu64 " %7" PRIu64
	       " %9zu %8.1f\n",
	       name, nr_rows, score.compared, score.differ, score.other, score.lost, score.added,
	       (size_t)nr_rows * sizeof(struct unwind_row), ms);
	fflush(stdout);
	unwind_table__free(table);
	if (sides.cfi)
		dwarf_cfi_end(sides.cfi);
	dwarf_end(dwarf);
	elf_end(elf);
	close(fd);
	return score.compared && !score.differ;
}

int main(int argc, char **argv)
{
	bool all = argc > 1;
	int i;

	elf_version(EV_CURRENT);
	printf("%-20s %8s %10s %7s %7s %7s %9s %8s\n", "file", "rows", "compared", "differ",
	       "other", "lost", "bytes", "ms");
	for (i = 1; i < argc; i++)
		all &= check_file(argv[i]);
	return all ? 0 : 1;
}
