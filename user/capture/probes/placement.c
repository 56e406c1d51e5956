// SPDX-License-Identifier: GPL-2.0-only
#include "capture/probes/placement.h"

#include "readers/instruction.h"

/*
 * Returns true if code reaches the instruction at offset only by running on from begin: no jump
 * leads to an address after begin and up to offset. Undecodable bytes could be any jump, so then
 * false.
 */
static bool is_reached_straight(const uint8_t *code, size_t size, size_t begin, size_t offset)
{
	struct instruction instruction;

	if (begin == offset)
		return true;
	for (size_t at = 0; at < size; at += instruction.length) {
		if (instruction__read(&instruction, code + at, size - at))
			return false;
		if (!instruction.has_target)
			continue;
		if (instruction.target > (int64_t)begin - (int64_t)at &&
		    instruction.target <= (int64_t)offset - (int64_t)at)
			return false;
	}
	return true;
}

static void put(struct placement *placement, size_t offset, const struct instruction *instruction)
{
	*placement = (struct placement){
		.offset = offset,
		.length = instruction->length,
		.is_emulated = instruction->is_emulated,
	};
}

/* Puts the probe at the first instruction from begin on that can have one. */
static int put_first(struct placement *placement, const uint8_t *code, size_t size, size_t begin)
{
	struct instruction instruction;

	for (size_t at = begin; at < size; at += instruction.length) {
		if (instruction__read(&instruction, code + at, size - at))
			break;
		if (instruction.is_nop5)
			continue;
		if (!is_reached_straight(code, size, begin, at))
			break;
		put(placement, at, &instruction);
		return 0;
	}
	return -ENOTSUP;
}

int placement__entry(struct placement *placement, const uint8_t *code, size_t size,
		     unsigned int arguments)
{
	struct instruction instruction;
	unsigned int overwritten = 0;

	if (instruction__read(&instruction, code, size))
		return -EILSEQ;
	for (size_t at = 0; at <= PLACEMENT_MAX_BYTES && at < size; at += instruction.length) {
		if (instruction__read(&instruction, code + at, size - at) ||
		    (overwritten & arguments))
			break;
		if (instruction.is_emulated && !instruction.is_nop5) {
			if (!is_reached_straight(code, size, 0, at))
				break;
			put(placement, at, &instruction);
			return 0;
		}
		if (!instruction.is_straight && !instruction.is_nop5)
			break;
		overwritten |= instruction.overwritten;
	}
	return put_first(placement, code, size, 0);
}

int placement__at(struct placement *placement, const uint8_t *code, size_t size, size_t offset)
{
	struct instruction instruction;
	size_t at = 0;

	while (at < offset) {
		if (instruction__read(&instruction, code + at, size - at))
			return -EINVAL;
		at += instruction.length;
	}
	if (at != offset || at >= size)
		return -EINVAL;
	return put_first(placement, code, size, offset);
}
