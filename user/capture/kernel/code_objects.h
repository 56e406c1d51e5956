/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Code objects of interpreters, by their words in stacks. References keep a code object alive: a
 * set holds one for each of its records, and a stack one for each of its words. Any thread may call
 * these functions.
 */
#ifndef TOPSTACKS_CAPTURE_KERNEL_CODE_OBJECTS_H
#define TOPSTACKS_CAPTURE_KERNEL_CODE_OBJECTS_H

#include "base/common.h"

struct code_record;
struct code_objects;

struct code {
	char *name;	    /* qualified; valid UTF-8, not escaped; "": not known */
	char *file;	    /* source file; valid UTF-8, not escaped; "": not known */
	const char *module; /* the last part of the file's path */
	uint32_t first_line;
};

/* Returns an empty table. */
struct code_objects *code_objects__new(void);
void code_objects__free(struct code_objects *codes);

/*
 * Returns the code object of a record, with a reference. If the word is known, the existing object
 * is returned. record->lines may be absent if nr_line_bytes is 0.
 */
const struct code *code_objects__add(struct code_objects *codes, const struct code_record *record);

/* Returns the code object of a word, with a reference. NULL: unknown. */
const struct code *code_objects__find(struct code_objects *codes, uint64_t word);

/* Drops a reference. NULL is fine. */
void code_objects__put(struct code_objects *codes, const struct code *code);

/* Returns the line of the word's position; 0: not known. */
uint32_t code__line(const struct code *code, uint64_t word);

#endif
