/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Takes several files from one input: a file, and those that it may refer to. An input that begins
 * like an ELF file is one file; else each of them comes after its length:
 *
 *	{ u32 length, bytes }...
 */
#ifndef TOPSTACKS_TESTS_FUZZ_PARTS_H
#define TOPSTACKS_TESTS_FUZZ_PARTS_H

#include <elf.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define MAX_PARTS 3

struct input_part {
	const uint8_t *bytes;
	size_t nr_bytes;
};

/* Returns the number of parts. They are borrowed from the input. */
static inline size_t parts_of(const uint8_t *data, size_t size, struct input_part parts[MAX_PARTS])
{
	size_t nr_parts = 0;

	if (size >= SELFMAG && !memcmp(data, ELFMAG, SELFMAG)) {
		parts[0] = (struct input_part){data, size};
		return 1;
	}
	while (nr_parts < MAX_PARTS && size >= sizeof(uint32_t)) {
		uint32_t length;

		memcpy(&length, data, sizeof(length));
		data += sizeof(length);
		size -= sizeof(length);
		parts[nr_parts++] = (struct input_part){data, length < size ? length : size};
		data += parts[nr_parts - 1].nr_bytes;
		size -= parts[nr_parts - 1].nr_bytes;
	}
	return nr_parts;
}

#endif
