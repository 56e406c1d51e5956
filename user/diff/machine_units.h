/* SPDX-License-Identifier: GPL-2.0-only */
/* Kernel functions that show what the machine did, not the program. */
#ifndef TOPSTACKS_DIFF_MACHINE_UNITS_H
#define TOPSTACKS_DIFF_MACHINE_UNITS_H

#include <stdbool.h>
#include <stddef.h>

struct machine_units;

/* With the built-in list. NULL: out of memory. */
struct machine_units *machine_units__new(void);
void machine_units__free(struct machine_units *units);

/* All kernel functions whose names start so. The prefix is copied. 0, -ENOMEM, -EINVAL (empty). */
int machine_units__add(struct machine_units *units, const char *prefix);
void machine_units__clear(struct machine_units *units);

/* function: of a kernel frame; NULL is none. */
bool machine_units__match(const struct machine_units *units, const char *function);

/*
 * Is this machine unit an interrupt's entry or exit? What runs below one was not called by the
 * program, whatever its name: packets for others, for one.
 */
bool machine_units__is_interrupt(const struct machine_units *units, const char *function);

/* The list, in the order of adding; NULL beyond its end. Borrowed until clear or free. */
const char *machine_units__prefix(const struct machine_units *units, size_t index);

#endif
