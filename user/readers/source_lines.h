/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a reader says of addresses in a file: functions, those inlined into them, and lines of the
 * source. Files: the ELF file, and one of addresses, uint64_t, virtual ones within it, ascending.
 * The answer:
 *
 *	u32 address's index, u32 nr_places, { u32 line, u32 length, text\0, u32 length, text\0 }...
 *
 * The texts being function and file; their lengths include the \0, and 0 stands for NULL. The reader
 * asks for the file's debug file, if it needs one, and for what else either refers to.
 *
 * -ENOENT: there is no debug information; -EFBIG: more of it than max_bytes; if it fails otherwise,
 * what it answered until then holds.
 */
#ifndef TOPSTACKS_READERS_SOURCE_LINES_H
#define TOPSTACKS_READERS_SOURCE_LINES_H

#include <stddef.h>
#include <stdint.h>

#include "elf/file.h"

struct reader_answer;

#define MAX_LINE_ADDRESSES 65536 /* for one reader */
#define MAX_PLACES	   64	 /* at one address; those further out are left out */
#define MAX_PLACE_BYTES	   4096	 /* of a function's or a file's name, with its zero */

/* The arguments. */
struct lines_request {
	uint64_t max_bytes; /* of debug sections; 0: any */
	uint32_t nr_addresses;
	char build_id[BUILD_ID_TEXT_SIZE]; /* that the file must have; "": any */
};

/* One function at an address. */
struct source_place {
	const char *function; /* as the linker knows it, if the compiler says that; NULL: unnamed */
	const char *directory; /* that file is relative to; NULL: none */
	const char *file;      /* NULL: not known */
	uint32_t line;	       /* 0: not known */
};

/* Who is told: places of one address, innermost first. Returns 0, or what ends it. */
struct place_taker {
	int (*take)(void *context, size_t address, const struct source_place *places,
		    size_t nr_places);
	void *context;
};

/*
 * Hands out what is in an answer for so many addresses, up to the first thing in it that is not as
 * it should be; without directories. Places are borrowed for the call.
 */
void source_lines__each(const struct reader_answer *answer, size_t nr_addresses,
			const struct place_taker *taker);

#endif
