/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A reader's answer on addresses in a file: functions, functions inlined into them, and source
 * lines. Files: the ELF file, and a file of uint64_t, the virtual addresses within it, ascending.
 * The answer:
 *
 *	u32 address's index, u32 nr_places, { u32 line, u32 length, text\0, u32 length, text\0 }...
 *
 * The texts are function and file; their lengths include the \0, and 0 stands for NULL. The reader
 * asks for the file's debug file, if it needs one, and for other files that either refers to.
 *
 * -ENOENT: there is no debug information; -EFBIG: more of it than max_bytes; after
 * other failures the part of the answer written until then is valid.
 */
#ifndef TOPSTACKS_READERS_SOURCE_LINES_H
#define TOPSTACKS_READERS_SOURCE_LINES_H

#include "base/common.h"
#include "elf/file.h"

struct reader_answer;

#define MAX_LINE_ADDRESSES 65536 /* for one reader */
#define MAX_PLACES	   64	 /* at one address; the outermost beyond that are left out */
#define MAX_PLACE_BYTES	   4096	 /* of a name of a function or file, with its zero */

/* The arguments. */
struct lines_request {
	uint64_t max_bytes; /* of debug sections; 0: no limit */
	uint32_t nr_addresses;
	char build_id[BUILD_ID_TEXT_SIZE]; /* required; "": any */
};

/* A function at an address. */
struct source_place {
	const char *function;  /* linkage name if the compiler gives it; NULL: unnamed */
	const char *directory; /* file is relative to it; NULL: none */
	const char *file;      /* NULL: not known */
	uint32_t line;	       /* 0: not known */
};

/* Takes the places of one address, innermost first. Returns 0, or a value that ends the search. */
struct place_taker {
	int (*take)(void *context, size_t address, const struct source_place *places,
		    size_t nr_places);
	void *context;
};

/*
 * Passes the places in an answer for nr_addresses addresses to the taker, up to the first part that
 * is not valid; without directories. Places are borrowed for the call.
 */
void source_lines__each(const struct reader_answer *answer, size_t nr_addresses,
			const struct place_taker *taker);

#endif
