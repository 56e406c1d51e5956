/* SPDX-License-Identifier: GPL-2.0-only */
/* The request and answer for a function: where it is in its file, and its code. */
#ifndef TOPSTACKS_READERS_FUNCTION_CODE_H
#define TOPSTACKS_READERS_FUNCTION_CODE_H

#include "base/common.h"
#include "elf/function_search.h"

#define FUNCTION_MAX_NAME_BYTES 1024	   /* including the zero */
#define FUNCTION_MAX_CODE	(1U << 20) /* most bytes of code in the answer */

enum function_state {
	FUNCTION_FOUND,
	FUNCTION_UNKNOWN,
	FUNCTION_SEVERAL,	 /* several functions are shown with that name */
	FUNCTION_UNNAMED,	 /* the file has no function names: it is stripped */
	FUNCTION_CHOSEN_AT_LOAD, /* an indirect function: the name is that of its resolver */
	FUNCTION_FOREIGN,	 /* the file is for another machine */
	FUNCTION_STATES,
};

/*
 * The arguments are a terminated name, as elf/function_search.h compares it. The answer is this
 * struct, followed by the code.
 */
struct function_code {
	uint32_t state;	   /* enum function_state */
	uint32_t nr_bytes; /* bytes of code that follow */
	/* Some code in the file reads return addresses: Go's runtime, or exceptions. */
	uint32_t reads_returns;
	uint32_t is_of_go;
	uint64_t offset; /* file offset */
	uint64_t size;	 /* of the function */
	/* FUNCTION_UNKNOWN: the similar ones; FUNCTION_SEVERAL: those found, all distinct. */
	uint32_t nr_names;
	uint32_t has_more;					    /* there are more names */
	char names[FUNCTION_SHOWN_NAMES][FUNCTION_SHOWN_NAME_SIZE]; /* terminated */
};

#endif
