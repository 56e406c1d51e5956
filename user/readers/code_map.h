/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a file says of its code beside its debug information: where there is some, and which function
 * its symbols have there. Debug information also speaks of functions that the linker dropped, at
 * addresses where they would be, and of several that it made one.
 */
#ifndef TOPSTACKS_READERS_CODE_MAP_H
#define TOPSTACKS_READERS_CODE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf/file.h"

struct symbol_table;

struct code_extent {
	uint64_t low, high; /* high is behind it */
};

struct code_map {
	struct elf_file file;
	struct code_extent *ranges;
	size_t nr_ranges;
	bool has_looked;	      /* for symbols */
	struct symbol_table *symbols; /* NULL: none */
};

/* Opens the map of a program or its debug file; fd stays open as long. 0, and code_map__close() is to be called; -ENOEXEC; -ENOMEM. */
int code_map__open(struct code_map *map, int fd);
void code_map__close(struct code_map *map); /* zeroed is fine */

/* Bounds of what is held in debug information: a larger claim is not read. */
uint64_t code_map__debug_bytes(const struct code_map *map);

/*
 * Whether code may begin there. Linkers write 0, 1, -1 or -2 as the address of what they dropped, and
 * add offsets to it; none of them is in a section with code.
 */
bool code_map__has(const struct code_map *map, uint64_t address);

/*
 * Whether the function that symbols have at an address is called so, or is a part or a clone of it
 * ("f.cold", "f.isra.0"). Symbols are read when it is asked for the first time.
 */
bool code_map__agrees(struct code_map *map, uint64_t address, const char *function);

#endif
