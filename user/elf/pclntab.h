/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Go's table of functions, .gopclntab. strip keeps it, as the runtime needs it to unwind. It has
 * the names of functions, and the depth of the stack at each instruction.
 */
#ifndef TOPSTACKS_ELF_PCLNTAB_H
#define TOPSTACKS_ELF_PCLNTAB_H

#include "base/common.h"

struct elf_file;

/* The table; its bytes belong to the file. Offsets count from the first byte. */
struct pclntab {
	const unsigned char *bytes;
	uint64_t size;
	uint64_t address;
	uint32_t magic;
	unsigned int unit;  /* differences of pcs are multiples of this */
	unsigned int word;  /* size of an address: 4 or 8 */
	unsigned int field; /* size of a field in funcs: 4 or a word */
	uint64_t text_start;
	uint64_t nr_functions;
	uint64_t names, depths, functions, records; /* bases of the other offsets */
};

/* False: there is none, or it is not valid. */
bool pclntab__find(struct pclntab *table, struct elf_file *file);

struct go_function {
	uint64_t start, end;
	const char *name; /* may not be terminated within max_name_bytes */
	size_t max_name_bytes;
	const uint8_t *depths; /* see unwind/go_frames.c; NULL: none */
	size_t max_depths_bytes;
};

/* Reads a function. False: its record is not valid; start and end are valid nevertheless. */
bool pclntab__function(const struct pclntab *table, uint64_t index, struct go_function *function);

#endif
