/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions that a process made at run time, by address; ranges never overlap. */
#ifndef TOPSTACKS_SYMBOLS_JIT_JIT_CODE_H
#define TOPSTACKS_SYMBOLS_JIT_JIT_CODE_H

#include "base/ranges.h"
#include "symbols/jit/late_table.h"

struct found_symbol;

/* Memory of the functions of all processes, and its limit. */
struct jit_bounds {
	size_t code_bytes, max_code_bytes;
	struct jit_code *codes; /* list of the sets that have functions */
};

/*
 * A set of functions. With only bounds set it is empty; jit_code__clear() empties it again. It must
 * not be moved while it has functions. When memory runs out, the largest set loses functions.
 */
struct jit_code {
	struct ranges functions;
	size_t bytes; /* of its functions */
	struct jit_bounds *bounds;
	struct jit_code *next, **link; /* list of bounds->codes; link NULL: not in it */
	struct late_table *late;       /* gets told of new and removed functions; or NULL */
	enum late_source source;
};

void jit_code__clear(struct jit_code *code);

/* *found is valid until the next apply or clear. */
bool jit_code__find(const struct jit_code *code, uint64_t address, struct found_symbol *found);

/*
 * Applies a reader's records (readers/jit_files.h) one by one. 0, or -EBADMSG: a record is not
 * valid, and the rest was left out.
 */
int jit_code__apply(struct jit_code *code, const char *records, size_t nr_bytes);

#endif
