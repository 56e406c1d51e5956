// SPDX-License-Identifier: GPL-2.0-only
/*
 * Places a probe in a function of strangers. The input is two bytes of an offset, and then the
 * code.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "capture/probes/placement.h"
#include "readers/instruction.h"
#include "require.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Requires that an instruction begins there, ends in the function, and may have a probe. */
static void check(const struct placement *placement, const uint8_t *code, size_t size)
{
	struct instruction instruction;
	char text[64];

	require(placement->offset < size);
	require(placement->length > 0 && placement->length <= size - placement->offset);
	require(!instruction__read(&instruction, code + placement->offset,
				   size - placement->offset));
	require(instruction.length == placement->length && !instruction.is_nop5);
	instruction__text(code + placement->offset, size - placement->offset, INSTRUCTION_ANYWHERE,
			  text, sizeof(text));
	require(strlen(text) < sizeof(text));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct placement placement;
	size_t offset;

	if (size < 2)
		return 0;
	offset = data[0] | (size_t)data[1] << 8;
	data += 2, size -= 2;
	if (!placement__entry(&placement, data, size, offset & 0x3f))
		check(&placement, data, size);
	if (!placement__at(&placement, data, size, offset)) {
		check(&placement, data, size);
		require(placement.offset >= offset);
	}
	return 0;
}
