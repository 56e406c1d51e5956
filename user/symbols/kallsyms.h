/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's own symbols, its modules' and its BPF programs', as /proc/kallsyms lists them. */
#ifndef TOPSTACKS_SYMBOLS_KALLSYMS_H
#define TOPSTACKS_SYMBOLS_KALLSYMS_H

struct symbol_table;

/*
 * Reads text of that form from a descriptor into *table, for names__kernel(); what has the address
 * 0, as all has without CAP_SYSLOG, is left out. 0 or negative errno.
 */
int kallsyms__read(int fd, struct symbol_table **table);

/* The same of /proc/kallsyms. */
int kallsyms__load(struct symbol_table **table);

#endif
