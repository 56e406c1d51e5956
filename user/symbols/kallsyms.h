/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's own symbols, its modules' and its BPF programs', as /proc/kallsyms lists them. */
#ifndef TOPSTACKS_SYMBOLS_KALLSYMS_H
#define TOPSTACKS_SYMBOLS_KALLSYMS_H

#include <stdbool.h>

struct table;

/*
 * Reads text of that form from a descriptor into *table, for names__kernel(). *hidden: it has
 * symbols, but every address is 0. 0 or negative errno.
 */
int kallsyms__read(int fd, struct table **table, bool *hidden);

/* The same of /proc/kallsyms. */
int kallsyms__load(struct table **table, bool *hidden);

#endif
