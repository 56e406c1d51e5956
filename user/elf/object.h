/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The facts of an ELF file about its code: where it is loaded, its functions, its build ID. One
 * process reads them, and another one, which does not trust the first, uses them:
 *
 *	header | segments | symbol table (symbol_table.h)
 */
#ifndef TOPSTACKS_ELF_OBJECT_H
#define TOPSTACKS_ELF_OBJECT_H

#include "base/common.h"
#include "elf/file.h"

struct debug_candidates;
struct symbol_table;

#define OBJECT_MAGIC	    0x746a626f31ULL /* change it whenever the layout below changes */
#define OBJECT_MAX_SEGMENTS 64		    /* linkers make 4 to 6 */

struct object_header {
	uint64_t magic;
	uint64_t entry;	      /* where the program starts; 0: not known */
	uint32_t nr_segments; /* that follow */
	uint8_t has_debug_info, has_debug_link;
	uint8_t is_complete;  /* a .symtab was read: other files have no more names */
	uint8_t has_too_many; /* too many symbols or names: the table is empty */
	char build_id[BUILD_ID_TEXT_SIZE + 7]; /* lower-case hex, "" if none */
};

struct object_segment {
	uint64_t offset, size; /* within the file */
	uint64_t address;
	uint64_t executable; /* 0: not executable */
};

struct object_request {
	uint64_t max_bytes;		   /* limit of the answer */
	char build_id[BUILD_ID_TEXT_SIZE]; /* required in the file or its debug file; "": any */
};

/*
 * Reads a file, and its debug file if that is found; both are untrusted, and may change meanwhile.
 * Writes the result to answer; leaves out functions without a name if it would be too large. 0;
 * -ESTALE: it has another build ID; -ENOEXEC: not an ELF file, or one without loadable segments,
 * which is allowed only if a build ID was required, as for a debug file; -EFBIG: still too large;
 * other negative errno.
 */
int object__read(int fd, const struct debug_candidates *offers, int answer,
		 const struct object_request *request);

/* An object in use. */
struct object {
	const struct object_header *header;
	const struct object_segment *segments;
	struct symbol_table *table; /* by virtual address; never NULL */
};

/*
 * Checks untrusted bytes, aligned to 8, and makes an object of them. They must not move or change
 * until object__free(). 0; -EBADMSG: not valid; -ENOMEM.
 */
int object__open(const void *bytes, size_t nr_bytes, struct object **object);

void object__free(struct object *object);

/* The virtual address of a byte of the file; segments with code are preferred. */
bool object__address(const struct object *object, uint64_t file_offset, uint64_t *address);

/*
 * Finds the file offset of the code that is loaded `distance` bytes behind the byte at file offset
 * origin. is_head: origin is the file's beginning, and not executable. False: there is no code.
 */
bool object__find_code(const struct object *object, uint64_t origin, bool is_head,
		       uint64_t distance, uint64_t *file_offset);

/*
 * Whether the address is within the first instructions of a program, for files that do not name
 * them.
 */
bool object__is_entry(const struct object *object, uint64_t address);

size_t object__memory_bytes(const struct object *object);

#endif
