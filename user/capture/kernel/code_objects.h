/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Code objects of interpreters, by the words that stand for them in stacks. A code object lives as long as
 * anybody refers to it, as a set does that has its record, and each stack with its word; any thread may.
 */
#ifndef TOPSTACKS_CAPTURE_KERNEL_CODE_OBJECTS_H
#define TOPSTACKS_CAPTURE_KERNEL_CODE_OBJECTS_H

#include <stddef.h>
#include <stdint.h>

struct code_record;
struct codes;

struct code {
	char *name;	    /* qualified; valid UTF-8, not escaped; "": not known */
	char *file;	    /* of its source, likewise */
	const char *module; /* the last part of that */
	uint32_t first_line;
};

/* NULL: no memory. */
struct codes *codes__new(void);
void codes__free(struct codes *codes);

/*
 * The code object of a record, with a reference; if its word is known already, that of whoever came first. The
 * record's lines need not be there if it has none. NULL: no memory.
 */
const struct code *codes__add(struct codes *codes, const struct code_record *record);

/* A reference to what a word of a stack stands for. NULL: it is not known. */
const struct code *codes__find(struct codes *codes, uint64_t word);

/* One reference less. NULL is fine. */
void codes__put(struct codes *codes, const struct code *code);

/* The line at which a word of its code was; 0: not known. */
uint32_t code__line(const struct code *code, uint64_t word);

#endif
