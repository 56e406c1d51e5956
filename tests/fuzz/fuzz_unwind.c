// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs the job of reading unwind tables, on files that mean harm: an ELF file, or a byte that says
 * how an ELF file is made around the rest, which is its .eh_frame or .debug_frame.
 *
 * The answer is always one that we take: an interpreter or none; rows are in order, the first is at
 * 0, no two neighbours say the same, and looking up is defined for any pc.
 */
#include "unwind/unwind.h"

#include "../unit/cfi_image.h"
#include "../unit/unwind_row.h"
#include "interpreters/interpreters.h"
#include "own_reader.h"

enum { IS_DEBUG = 2, IS_AARCH64 = 4, IS_WITHOUT_SECTIONS = 8 };

static void check_rows(const struct unwind_table *table)
{
	uint32_t nr, i;
	const struct unwind_row *rows = unwind_table__rows(table, &nr);

	require(nr > 0 && rows[0].pc == 0);
	for (i = 0; i < nr; i++) {
		require(UNWIND_CFA(rows[i].rules) < UNWIND_CFAS);
		require(find_row(table, rows[i].pc) == &rows[i]);
		require(i == 0 || rows[i - 1].pc < rows[i].pc);
		require(i == 0 || memcmp(&rows[i - 1].cfa_offset, &rows[i].cfa_offset, 4));
	}
	require(find_row(table, UINT64_MAX)->rules == UNWIND_NONE);
}

static struct input_part make_around(const uint8_t *frames, size_t size, uint8_t kind)
{
	static struct cfi_image image;

	image_begin(&image);
	image.is_debug = kind & IS_DEBUG;
	image.without_sections = kind & IS_WITHOUT_SECTIONS;
	image.machine = kind & IS_AARCH64 ? EM_AARCH64 : EM_X86_64;
	image.entry = TEXT + IMAGE_BIAS + 0x80;
	put_bytes(&image, frames, size < HDR - FRAMES ? size : HDR - FRAMES);
	image_end(&image);
	return (struct input_part){image.bytes, sizeof(image.bytes)};
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct interpreter *interpreter;
	struct unwind_table *table = NULL;
	struct own_answer answer;
	int64_t pc;

	if (size == 0)
		return 0;
	own_reader.nr_parts = 1;
	own_reader.parts[0] = data[0] == ELFMAG0 ? (struct input_part){data, size}
						 : make_around(data + 1, size - 1, data[0]);
	answer = run_job(job__unwind, -1, NULL, 0);
	if (!answer.code) {
		interpreter = answer.bytes;
		require(answer.nr_bytes >= sizeof(*interpreter));
		require(interpreter__is_sane(interpreter));
		require(!unwind_table__view(interpreter + 1, answer.nr_bytes - sizeof(*interpreter),
					    &table));
		check_rows(table);
		unwind_table__locate(table, size, &pc);
		unwind_table__free(table);
	}
	free(answer.bytes);
	return 0;
}
