/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What an ELF file says about the code in it: where it is loaded, its functions, its build ID.
 */
#ifndef TOPSTACKS_ELF_OBJECT_H
#define TOPSTACKS_ELF_OBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf/file.h"

struct debug_query;
struct symbol_table;

struct object {
	struct segment *segments;
	size_t nr_segments;
	struct symbol_table *table;	   /* by virtual address; never NULL */
	uint64_t entry;			   /* where the program starts, 0: nowhere */
	char build_id[BUILD_ID_TEXT_SIZE]; /* lower-case hex, "" if none */
};

/*
 * Reads a file once, and what was stripped from it if that is found; both may be anything, and may
 * change meanwhile. 0; -ENOEXEC: not an ELF file with loadable segments; -ENOMEM.
 */
int object__read(const struct debug_query *query, struct object **object);

void object__free(struct object *object);

/* The virtual address of a byte of the file, preferring segments with code. */
bool object__address(const struct object *object, uint64_t file_offset, uint64_t *address);

/* Within the few instructions that a program starts with, for files that do not name them. */
bool object__is_entry(const struct object *object, uint64_t address);

size_t object__memory_bytes(const struct object *object);

#endif
