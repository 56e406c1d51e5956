/* SPDX-License-Identifier: GPL-2.0-only */
/* What is asked of a reader about a function, and what it answers: where it is in its file, and its code. */
#ifndef TOPSTACKS_READERS_FUNCTION_CODE_H
#define TOPSTACKS_READERS_FUNCTION_CODE_H

#include <stdint.h>

#define FUNCTION_MAX_NAME_BYTES 1024	   /* with its zero */
#define FUNCTION_MAX_CODE	(1U << 20) /* bytes that are told of it */

enum function_state {
	FUNCTION_FOUND,
	FUNCTION_UNKNOWN,
	FUNCTION_UNNAMED,	 /* no function of the file has a name: it is stripped */
	FUNCTION_CHOSEN_AT_LOAD, /* the name is of what chooses the function */
	FUNCTION_FOREIGN,	 /* the file is for another kind of machine */
	FUNCTION_STATES,
};

/* Arguments: a name, terminated. The answer is this, and then its code. */
struct function_code {
	uint32_t state;	   /* enum function_state */
	uint32_t nr_bytes; /* of code, that follow */
	uint32_t
		reads_returns; /* something in the file looks at return addresses: Go's runtime, exceptions */
	uint32_t is_of_go;
	uint64_t offset; /* in the file */
	uint64_t size;	 /* of the function */
	char near[64];	 /* FUNCTION_UNKNOWN: a name that is like it, terminated; "": none */
};

#endif
