// SPDX-License-Identifier: GPL-2.0-only
/*
 * Call frame information and ELF files that mean harm. The first byte says what the rest is: an
 * ELF file, or the bytes of .eh_frame or .debug_frame in an ELF file made around them.
 *
 * Whatever comes, the rows are in order, the first is at 0, no two neighbours say the same, and
 * looking up is defined for any pc.
 */
#include <stdlib.h>

#include "unwind/unwind.h"

#include "../unit/cfi_image.h"
#include "../unit/image_file.h"
#include "../unit/unwind_row.h"

enum { IS_FRAMES = 1, IS_DEBUG = 2, IS_AARCH64 = 4, IS_WITHOUT_SECTIONS = 8 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
	if (!condition)
		abort();
}

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

static int build_around(const uint8_t *frames, size_t size, uint8_t kind,
			struct unwind_table **table)
{
	static struct cfi_image image;

	image_begin(&image);
	image.is_debug = kind & IS_DEBUG;
	image.without_sections = kind & IS_WITHOUT_SECTIONS;
	image.machine = kind & IS_AARCH64 ? EM_AARCH64 : EM_X86_64;
	image.entry = TEXT + IMAGE_BIAS + 0x80;
	put_bytes(&image, frames, size < HDR - FRAMES ? size : HDR - FRAMES);
	image_end(&image);
	return build_table_of(image.bytes, sizeof(image.bytes), table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct unwind_table *table = NULL;
	int64_t pc;
	int err;

	if (size == 0)
		return 0;
	if (data[0] & IS_FRAMES)
		err = build_around(data + 1, size - 1, data[0], &table);
	else
		err = build_table_of(data + 1, size - 1, &table);
	require(!err == (table != NULL));
	if (table) {
		check_rows(table);
		unwind_table__locate(table, size, &pc);
	}
	unwind_table__free(table);
	return 0;
}
