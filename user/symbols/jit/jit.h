/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The names that a program image gives to code that it makes at run time: in /tmp/perf-PID.map, and
 * in a jitdump file that it has mapped.
 */
#ifndef TOPSTACKS_SYMBOLS_JIT_JIT_H
#define TOPSTACKS_SYMBOLS_JIT_JIT_H

#include "base/common.h"
#include "symbols/jit/jit_file.h"

struct image;
struct jit;
struct late_window;
struct time_lines;
struct found_symbol;

/*
 * Begins a round. max_code_bytes: limit for the code of all processes; the round has an upper
 * limit, too.
 */
void jit_round__begin(struct jit_round *round, size_t max_code_bytes);

/*
 * Returns the jit of a process, without names. round and its late names must outlive the jit.
 * instance: the process, as late names know it.
 */
struct jit *jit__new(struct jit_round *round, uint64_t instance);
void jit__free(struct jit *jit);

/*
 * Reads what the image has told since the last round; a jit belongs to one image. Keeps what it
 * told after its end. True: addresses may have other names now.
 */
bool jit__refresh(struct jit *jit, const struct image *image);

/* Reads once more what ended processes told, unless that was done after their end. */
void jit_round__look_at_ended(struct time_lines *lines);

/* Reads all that all processes have told so far, in several rounds. */
void jit_round__look_at_all(struct jit_round *round, size_t max_code_bytes,
			    struct time_lines *lines);

/* Asks for the late name of an address without a name (late_table.h). */
void jit__want(struct jit *jit, uint64_t address, const struct late_window *window);

/* Number of jit__want() calls: it grows when code without a name runs. */
uint64_t jit__nr_unnamed(const struct jit *jit);

/*
 * Why names may be missing: 0: no known reason; a shortage (base/shortage.h); -EACCES: one of its
 * files is refused.
 */
int jit__why_unread(const struct jit *jit);

/* Finds the function at an address. *found is valid until the next refresh. */
bool jit__find(const struct jit *jit, uint64_t address, struct found_symbol *found);

#endif
