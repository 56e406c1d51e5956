/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The code of a file according to its headers and symbols: where code is, and which function is at
 * an address. Debug information also lists functions that the linker dropped, at addresses where
 * they would be, and several functions that the linker merged into one.
 */
#ifndef TOPSTACKS_READERS_CODE_MAP_H
#define TOPSTACKS_READERS_CODE_MAP_H

#include "base/common.h"
#include "elf/file.h"

struct symbol_table;

struct code_extent {
	uint64_t low, high; /* high is exclusive */
};

struct code_map {
	struct elf_file file;
	struct code_extent *ranges;
	size_t nr_ranges;
	bool has_looked;	      /* symbols have been looked for */
	struct symbol_table *symbols; /* NULL: none */
};

/*
 * Opens the map of a program or its debug file; fd must stay open meanwhile. 0, and call
 * code_map__close(); or -ENOEXEC or -ENOMEM.
 */
int code_map__open(struct code_map *map, int fd);
void code_map__close(struct code_map *map); /* zeroed is fine */

/* Limit for the memory of debug information; larger sections are not read. */
uint64_t code_map__debug_bytes(const struct code_map *map);

/*
 * Whether code may begin at the address. Linkers write 0, 1, -1 or -2 as the address of dropped
 * code, and add offsets to it; none of these is in a section with code.
 */
bool code_map__has(const struct code_map *map, uint64_t address);

/*
 * Whether the function that symbols have at the address has this name, or is a part or clone of
 * such a function ("f.cold", "f.isra.0"). The first call reads the symbols.
 */
bool code_map__agrees(struct code_map *map, uint64_t address, const char *function);

#endif
