/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions that a process made at run time: by address, never two at one.
 */
#ifndef TOPSTACKS_SYMBOLS_JIT_JIT_CODE_H
#define TOPSTACKS_SYMBOLS_JIT_JIT_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/jit/late_table.h"

struct found_symbol;

/* What the functions of all processes use together, and may use. */
struct jit_bounds {
	size_t code_bytes, max_code_bytes;
	struct jit_code *codes; /* that have functions */
};

/*
 * Empty as long as it has only bounds; jit_code__clear empties it again. It stays where it is until
 * then. When there is no more room, functions of the largest go.
 */
struct jit_code {
	void *tree;
	size_t bytes; /* of its entries */
	struct jit_bounds *bounds;
	struct jit_code *next, **link; /* among the bounds' codes; link NULL: it is not */
	struct late_table *late;       /* is told of what comes and goes; NULL: nobody is */
	enum late_source source;
};

void jit_code__clear(struct jit_code *code);

/* Valid until the next add, move or clear. */
bool jit_code__find(const struct jit_code *code, uint64_t address, struct found_symbol *found);

/*
 * Does what a reader told (readers/jit_files.h), record by record. 0, or -EBADMSG: one of them is
 * none, and what follows was left out.
 */
int jit_code__apply(struct jit_code *code, const char *records, size_t nr_bytes);

#endif
