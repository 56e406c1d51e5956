/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Go's table of functions, .gopclntab, which no strip removes: the runtime needs it to unwind. It has
 * the names of functions, and how deep the stack is at each of their instructions.
 */
#ifndef TOPSTACKS_ELF_PCLNTAB_H
#define TOPSTACKS_ELF_PCLNTAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct elf_file;

/* Its bytes are the file's. Offsets count from the first of them. */
struct pclntab {
	const unsigned char *bytes;
	uint64_t size;
	uint64_t address;
	uint32_t magic;
	unsigned int unit;  /* bytes that all differences of pcs are multiples of */
	unsigned int word;  /* bytes of an address: 4 or 8 */
	unsigned int field; /* bytes of a field in funcs: 4 or a word */
	uint64_t text_start;
	uint64_t nr_functions;
	uint64_t names, depths, functions, records; /* what other offsets count from */
};

/* False: there is none, or it cannot be trusted. */
bool pclntab__find(struct pclntab *table, struct elf_file *file);

struct go_function {
	uint64_t start, end;
	const char *name; /* it may not end within its bytes */
	size_t max_name_bytes;
	const uint8_t *depths; /* see unwind/go_frames.c; NULL: none */
	size_t max_depths_bytes;
};

/* False: its record is damaged. start and end are valid all the same. */
bool pclntab__function(const struct pclntab *table, uint64_t index, struct go_function *function);

#endif
