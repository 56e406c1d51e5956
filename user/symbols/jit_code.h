/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions that a process made at run time, as it told of them: by address, never two at one.
 */
#ifndef TOPSTACKS_SYMBOLS_JIT_CODE_H
#define TOPSTACKS_SYMBOLS_JIT_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct jit_code;
struct found_symbol;

/* Longer names are cut. */
#define JIT_MAX_NAME_BYTES 1024

/* What the functions of all processes use together, and may use. */
struct jit_bounds {
	size_t code_bytes, max_code_bytes;
};

struct jit_function {
	uint64_t start, size;
	uint64_t index; /* which function it is, where its maker says so */
	const char *name;
	size_t name_length; /* a zero byte ends the name as well */
};

/* bounds must outlive it. NULL: out of memory. */
struct jit_code *jit_code__new(struct jit_bounds *bounds);
void jit_code__free(struct jit_code *code);

/*
 * What overlaps with it is gone: memory is used again only when nobody runs what was there. That
 * holds without a name as well, but not without a size. 0, -ENOMEM, or -E2BIG: beyond the bounds,
 * and then it has no name.
 */
int jit_code__add(struct jit_code *code, const struct jit_function *function);

/* The function of this index that starts there is elsewhere now. Returns as jit_code__add. */
int jit_code__move(struct jit_code *code, uint64_t from, uint64_t to, uint64_t index);

void jit_code__clear(struct jit_code *code);

/* Valid until the next add, move or clear. */
bool jit_code__find(const struct jit_code *code, uint64_t address, struct found_symbol *found);

#endif
