/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A package of split units of a program (.dwp, DWARF 5, 7.3.5, and GNU's earlier format). libdw
 * before 0.191 cannot read packages, and the parts of a unit are in several sections. So a unit is
 * extracted as the .dwo file that it was.
 */
#ifndef TOPSTACKS_READERS_SPLIT_PACKAGE_H
#define TOPSTACKS_READERS_SPLIT_PACKAGE_H

#include "base/common.h"
#include "elf/file.h"

enum split_part {
	SPLIT_INFO,
	SPLIT_ABBREVIATIONS,
	SPLIT_LINES, /* names of files */
	SPLIT_STRING_OFFSETS,
	SPLIT_RANGES,
	NR_SPLIT_PARTS, /* parts that each unit has for itself */
};

/* Zeroed: none. */
struct split_package {
	int fd;
	struct elf_file file;
	const Elf_Data *index, *strings;
	struct elf_section sections[NR_SPLIT_PARTS];
	const Elf_Data *unpacked[NR_SPLIT_PARTS]; /* of compressed sections; NULL: not compressed */
	uint32_t version, nr_columns, nr_units, nr_slots;
	uint64_t left_bytes; /* bytes of units still to extract, as their parts may overlap */
};

/* fd belongs to the caller, and must stay open. 0; -ENOENT: it is no package. */
int split_package__open(struct split_package *package, int fd);
void split_package__close(struct split_package *package); /* zeroed is fine */

/* Extracts a unit as an ELF file in memory; free() it. NULL: the package has no such unit. */
void *split_package__unit(struct split_package *package, uint64_t id, size_t *nr_bytes);

#endif
