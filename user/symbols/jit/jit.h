/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a program image tells of the code that it makes at run time: in /tmp/perf-PID.map, and in a
 * jitdump file that it has mapped.
 */
#ifndef TOPSTACKS_SYMBOLS_JIT_JIT_H
#define TOPSTACKS_SYMBOLS_JIT_JIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/jit/jit_file.h"

struct image;
struct jit;
struct late_window;
struct time_lines;
struct found_symbol;

/* max_code_bytes: of all that is kept, within what it may be in any case. */
void jit_round__begin(struct jit_round *round, size_t max_code_bytes);

/*
 * round, and its late names, must outlive it. instance: the process, as they know it. NULL: out of
 * memory.
 */
struct jit *jit__new(struct jit_round *round, uint64_t instance);
void jit__free(struct jit *jit);

/*
 * Reads what image, always the same one, has told since the last round; what it told is kept when
 * it is gone. True: addresses may have other names than before.
 */
bool jit__refresh(struct jit *jit, const struct image *image);

/* Reads once what processes that have ended told, unless that was done since their end. */
void jit_round__look_at_ended(struct time_lines *lines);

/* Reads all that all processes have told by now, in rounds of its own. */
void jit_round__look_at_all(struct jit_round *round, size_t max_code_bytes,
			    struct time_lines *lines);

/* An address without a name, which late names are wanted for (late_table.h). */
void jit__want(struct jit *jit, uint64_t address, const struct late_window *window);

/* How often that was so: it changes when code without a name runs. */
uint64_t jit__nr_unnamed(const struct jit *jit);

/*
 * Why something that it told may be unknown: 0: for nothing that is known; a shortage
 * (base/shortage.h); -EACCES: a file of it is not to be read.
 */
int jit__why_unread(const struct jit *jit);

/* Valid until the next refresh. */
bool jit__find(const struct jit *jit, uint64_t address, struct found_symbol *found);

#endif
