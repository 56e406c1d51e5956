/* SPDX-License-Identifier: GPL-2.0-only */
/* What is asked of a reader about a function, and what it answers: where it is in its file, and its code. */
#ifndef TOPSTACKS_READERS_FUNCTION_CODE_H
#define TOPSTACKS_READERS_FUNCTION_CODE_H

#include <stdint.h>

#include "elf/function_search.h"

#define FUNCTION_MAX_NAME_BYTES 1024	   /* with its zero */
#define FUNCTION_MAX_CODE	(1U << 20) /* bytes that are told of it */

enum function_state {
	FUNCTION_FOUND,
	FUNCTION_UNKNOWN,
	FUNCTION_SEVERAL,	 /* have that name, as it is shown */
	FUNCTION_UNNAMED,	 /* no function of the file has a name: it is stripped */
	FUNCTION_CHOSEN_AT_LOAD, /* the name is of what chooses the function */
	FUNCTION_FOREIGN,	 /* the file is for another kind of machine */
	FUNCTION_STATES,
};

/* Arguments: a name, terminated, as elf/function_search.h compares it. The answer is this, and then its code. */
struct function_code {
	uint32_t state;	   /* enum function_state */
	uint32_t nr_bytes; /* of code, that follow */
	uint32_t
		reads_returns; /* something in the file looks at return addresses: Go's runtime, exceptions */
	uint32_t is_of_go;
	uint64_t offset; /* in the file */
	uint64_t size;	 /* of the function */
	uint32_t
		nr_names; /* FUNCTION_UNKNOWN: that are like it; FUNCTION_SEVERAL: of them, each another one */
	uint32_t has_more;					    /* than these */
	char names[FUNCTION_SHOWN_NAMES][FUNCTION_SHOWN_NAME_SIZE]; /* terminated */
};

#endif
