/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What an ELF file says about the code in it: where it is loaded, its functions, its build ID. It is
 * read by one process and used by another, which does not trust it:
 *
 *	header | segments | symbol table (symbol_table.h)
 */
#ifndef TOPSTACKS_ELF_OBJECT_H
#define TOPSTACKS_ELF_OBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf/file.h"

struct debug_offers;
struct symbol_table;

#define OBJECT_MAGIC	    0x746a626f31ULL /* another layout has another one */
#define OBJECT_MAX_SEGMENTS 64		    /* a linker makes 4 to 6 */

struct object_header {
	uint64_t magic;
	uint64_t entry;	      /* where the program starts, 0: nowhere */
	uint32_t nr_segments; /* that follow */
	uint8_t has_debug_info, has_debug_link;
	uint8_t is_complete;  /* a .symtab was read: what it does not name nobody does */
	uint8_t has_too_many; /* symbols or names: none of them is in the table */
	char build_id[BUILD_ID_TEXT_SIZE + 7]; /* lower-case hex, "" if none */
};

struct object_segment {
	uint64_t offset, size; /* in the file */
	uint64_t address;
	uint64_t executable; /* 0: it is not */
};

struct object_request {
	uint64_t max_bytes;		   /* of the answer */
	char build_id[BUILD_ID_TEXT_SIZE]; /* that the file must have, or its debug file; "": any */
};

/*
 * Reads a file, and what was stripped from it if that is found; both may be anything, and may change
 * meanwhile. Writes what it found to answer: if it would be too much, without functions that nobody
 * names. 0; -ESTALE: it has another build ID; -ENOEXEC: not an ELF file with loadable segments, which it
 * needs not have if its build ID was asked for: a debug file has none; -EFBIG: it would be too much all
 * the same; other negative errno.
 */
int object__read(int fd, const struct debug_offers *offers, int answer,
		 const struct object_request *request);

/* What was read, in use. */
struct object {
	const struct object_header *header;
	const struct object_segment *segments;
	struct symbol_table *table; /* by virtual address; never NULL */
};

/*
 * Bytes of anybody's, aligned to 8, that stay where and what they are until it is freed. 0;
 * -EBADMSG: nobody who read a file says so; -ENOMEM.
 */
int object__open(const void *bytes, size_t nr_bytes, struct object **object);

void object__free(struct object *object);

/* The virtual address of a byte of the file, preferring segments with code. */
bool object__address(const struct object *object, uint64_t file_offset, uint64_t *address);

/*
 * Where the file has the code that is so many bytes behind the byte at origin, once it is loaded. is_head: that is the
 * file's beginning, and not executable. False: no code is there.
 */
bool object__find_code(const struct object *object, uint64_t origin, bool is_head,
		       uint64_t distance, uint64_t *file_offset);

/* Within the few instructions that a program starts with, for files that do not name them. */
bool object__is_entry(const struct object *object, uint64_t address);

size_t object__memory_bytes(const struct object *object);

#endif
