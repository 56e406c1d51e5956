// SPDX-License-Identifier: GPL-2.0-only
/*
 * Jumps are found without a disassembler, on x86-64 by trying each byte: 0f 80 to 0f 8f
 * (conditional) and e9, then a distance of 32 bits. Bytes that look like a jump by chance lead
 * anywhere in 4 GB, so it is unlikely that two of them connect unrelated code. Jumps of 8 bits
 * never leave a function. Instructions of aarch64 have 4 bytes each.
 */
#include "interpreters/kinds.h"

#include "elf/file.h"
#include "elf/symbol_builder.h"
#include "elf/symbol_table.h"
#include "elf/symbols.h"

#define MAX_LOOP_BYTES (1U << 20) /* the longest known has 75,000 */
#define MAX_PARTS      8	  /* candidates with the most jumps to them */

struct machine_code {
	const uint8_t *bytes;
	uint64_t start, nr_bytes;
	uint16_t machine; /* EM_AARCH64, else x86-64 */
};

/* A candidate for a part of the loop. */
struct loop_part {
	uint64_t start, nr_bytes;
	size_t nr_jumps; /* to this part */
};

struct loop_search {
	struct elf_file *file;
	struct machine_code loop;
	uint64_t *targets; /* targets of jumps out of the loop, sorted */
	size_t nr_targets;
	struct loop_part parts[MAX_PARTS]; /* unused ones have no jumps */
};

static bool read_code(struct elf_file *file, uint64_t start, uint64_t nr_bytes,
		      struct machine_code *code)
{
	*code = (struct machine_code){NULL, start, nr_bytes, file->header.e_machine};
	if (nr_bytes && nr_bytes <= MAX_LOOP_BYTES)
		code->bytes = contents__at(file, start, nr_bytes);
	return code->bytes;
}

/* ---- jumps ---- */

static bool read_jump_x86_64(const struct machine_code *code, size_t at, uint64_t *target)
{
	const uint8_t *bytes = code->bytes + at;
	const size_t left = code->nr_bytes - at;
	const size_t opcode_bytes = bytes[0] == 0xe9 ? 1 : 2;
	int32_t distance;

	if (left < opcode_bytes + sizeof(distance))
		return false;
	if (opcode_bytes == 2 && (bytes[0] != 0x0f || (bytes[1] & 0xf0) != 0x80))
		return false;
	memcpy(&distance, bytes + opcode_bytes, sizeof(distance));
	*target = code->start + at + opcode_bytes + sizeof(distance) + (uint64_t)(int64_t)distance;
	return true;
}

/* The signed number of instructions in nr bits of the instruction, in bytes. */
static int64_t distance_in(uint32_t instruction, unsigned int from, unsigned int nr)
{
	return ((int64_t)(int32_t)(instruction << (32 - from - nr)) >> (32 - nr)) * 4;
}

/* Decodes b; b.cond, cbz, cbnz; tbz, tbnz (Arm Architecture Reference Manual, C4.1, branches). */
static bool read_jump_aarch64(const struct machine_code *code, size_t at, uint64_t *target)
{
	uint32_t instruction;
	int64_t distance;

	if (at % sizeof(instruction) || code->nr_bytes - at < sizeof(instruction))
		return false;
	memcpy(&instruction, code->bytes + at, sizeof(instruction));
	if ((instruction & 0xfc000000) == 0x14000000)
		distance = distance_in(instruction, 0, 26);
	else if ((instruction & 0xff000010) == 0x54000000 ||
		 (instruction & 0x7e000000) == 0x34000000)
		distance = distance_in(instruction, 5, 19);
	else if ((instruction & 0x7e000000) == 0x36000000)
		distance = distance_in(instruction, 5, 14);
	else
		return false;
	*target = code->start + at + (uint64_t)distance;
	return true;
}

static bool read_jump(const struct machine_code *code, size_t at, uint64_t *target)
{
	return code->machine == EM_AARCH64 ? read_jump_aarch64(code, at, target)
					   : read_jump_x86_64(code, at, target);
}

static int compare_targets(const void *a, const void *b)
{
	const uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

	return (left > right) - (left < right);
}

/* Number of targets below the address. */
static size_t nr_below(const struct loop_search *search, uint64_t address)
{
	return array__bisect(search->targets, search->nr_targets, sizeof(*search->targets),
			     sizeof(*search->targets), address);
}

/* ---- parts ---- */

static int take_part(void *context, const struct symbol *function)
{
	struct loop_search *search = context;
	const uint64_t start = function->start, end = start + function->size;
	const struct machine_code *loop = &search->loop;
	struct loop_part part = {start, function->size, 0};

	if (start < loop->start + loop->nr_bytes && loop->start < end)
		return 0;
	part.nr_jumps = nr_below(search, end) - nr_below(search, start);
	for (size_t i = 0; i < MAX_PARTS && part.nr_jumps; i++)
		if (part.nr_jumps > search->parts[i].nr_jumps) {
			const struct loop_part weaker = search->parts[i];

			search->parts[i] = part;
			part = weaker;
		}
	return 0;
}

/* Drops exported functions: they are no parts. */
static int drop_functions(struct loop_search *search)
{
	const struct named_range none = {0};
	struct symbol_builder builder = {0};
	struct symbol_table *table;
	struct found_symbol found;
	int code = elf_symbols__add(search->file, SHT_DYNSYM, &none, &builder, NULL);

	if (code) {
		symbol_builder__fini(&builder);
		return code == -E2BIG ? -ENOENT : code;
	}
	table = symbol_builder__finish(&builder);
	if (!table)
		return -ENOMEM;
	for (size_t i = 0; i < MAX_PARTS; i++)
		if (symbol_table__find(table, search->parts[i].start, &found) &&
		    found.start == search->parts[i].start)
			search->parts[i].nr_jumps = 0;
	symbol_table__free(table);
	return 0;
}

/* Chooses the part with the most jumps from and to the loop; none leaves chosen as it is. */
static void choose_part(struct loop_search *search, struct machine_code *chosen)
{
	size_t nr_most = 0;
	struct machine_code part;

	for (size_t i = 0; i < MAX_PARTS; i++) {
		uint64_t target;
		size_t nr = 0;

		if (!search->parts[i].nr_jumps || !read_code(search->file, search->parts[i].start,
							     search->parts[i].nr_bytes, &part))
			continue;
		/* Counts jumps into the loop; a jump to its begin is a call. */
		for (size_t at = 0; at < part.nr_bytes; at++)
			nr += read_jump(&part, at, &target) && target > search->loop.start &&
			      target - search->loop.start < search->loop.nr_bytes;
		if (nr <= nr_most)
			continue;
		nr_most = nr;
		*chosen = part;
	}
}

/* ---- the loop and its part ---- */

static bool has_pcs(const struct machine_code *code, uint64_t base)
{
	return code->bytes && code->start >= base && code->start - base < UINT32_MAX &&
	       code->nr_bytes <= UINT32_MAX - (code->start - base);
}

static struct interpreter_range pcs_of(const struct machine_code *code, uint64_t base)
{
	const uint32_t start = (uint32_t)(code->start - base);

	return (struct interpreter_range){start, start + (uint32_t)code->nr_bytes};
}

int loops__find(struct elf_file *file, uint64_t base, const struct named_place *function,
		struct interpreter_range loops[INTERPRETER_MAX_LOOPS])
{
	struct loop_search search = {.file = file};
	struct machine_code *loop = &search.loop, part = {0};
	uint64_t target;
	int code;

	if (!read_code(file, function->address, function->size, loop) || !has_pcs(loop, base))
		return -ENOENT;

	/* A jump may begin at each byte. */
	search.targets = calloc(loop->nr_bytes, sizeof(*search.targets));
	if (!search.targets)
		return -ENOMEM;
	for (size_t at = 0; at < loop->nr_bytes; at++)
		if (read_jump(loop, at, &target) && target - loop->start >= loop->nr_bytes)
			search.targets[search.nr_targets++] = target;
	qsort(search.targets, search.nr_targets, sizeof(*search.targets), compare_targets);

	code = eh_frame__each(file, take_part, &search);
	if (!code && search.parts[0].nr_jumps)
		code = drop_functions(&search);
	free(search.targets);
	if (code)
		return code;
	choose_part(&search, &part);
	loops[0] = pcs_of(loop, base);
	if (has_pcs(&part, base))
		loops[1] = pcs_of(&part, base);
	return 0;
}
