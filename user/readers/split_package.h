/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A package of what was split from the units of a program (.dwp, DWARF 5, 7.3.5; GNU's before):
 * libdw reads none before 0.191, and each unit's parts lie apart. So a unit is taken out, as the
 * .dwo file that it was.
 */
#ifndef TOPSTACKS_READERS_SPLIT_PACKAGE_H
#define TOPSTACKS_READERS_SPLIT_PACKAGE_H

#include <stddef.h>
#include <stdint.h>

#include "elf/file.h"

enum split_part {
	SPLIT_INFO,
	SPLIT_ABBREVIATIONS,
	SPLIT_LINES, /* names of files */
	SPLIT_STRING_OFFSETS,
	SPLIT_RANGES,
	NR_SPLIT_PARTS, /* that each unit has for itself */
};

/* Zeroed: none. */
struct split_package {
	int fd;
	struct elf_file file;
	const Elf_Data *index, *strings;
	struct elf_section sections[NR_SPLIT_PARTS];
	const Elf_Data *unpacked[NR_SPLIT_PARTS]; /* of compressed sections; NULL: none */
	uint32_t version, nr_columns, nr_units, nr_slots;
	uint64_t left_bytes; /* that units may still come to, which may overlap */
};

/* fd is the caller's, and stays open as long. 0; -ENOENT: it is no package. */
int split_package__open(struct split_package *package, int fd);
void split_package__close(struct split_package *package); /* zeroed is fine */

/* An ELF file as it would be on disk, for the caller to free. NULL: the package has no such unit. */
void *split_package__unit(struct split_package *package, uint64_t id, size_t *nr_bytes);

#endif
