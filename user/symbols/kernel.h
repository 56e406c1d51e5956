/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of kernel addresses: from the kernel's own answers, else from its list of symbols; and what
 * names tell of a stack.
 */
#ifndef TOPSTACKS_SYMBOLS_KERNEL_H
#define TOPSTACKS_SYMBOLS_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"

struct frame;
struct strings;
struct symbol_table;

struct kernel_symbols {
	bool demangle;
	/* As in symbols_options. */
	const char *(*ask_kernel)(void *context, uint64_t address);
	void *context;

	struct strings *strings;
	const char *module; /* of what has no symbol */
	struct map known;
	bool answers;		   /* the kernel gave one */
	bool listed;		   /* the list was read */
	struct symbol_table *list; /* NULL: not read, or nothing in it */
};

/* What it asks with is set before. strings is borrowed and must live longer. 0 or -ENOMEM. */
int kernel_symbols__init(struct kernel_symbols *kernel, struct strings *strings);
void kernel_symbols__fini(struct kernel_symbols *kernel);

/* Drops all names; from here on they are made in strings. 0 or -ENOMEM. */
int kernel_symbols__renew(struct kernel_symbols *kernel, struct strings *strings);

/* As symbols__resolve_kernel. */
void kernel_symbols__resolve(struct kernel_symbols *kernel, uint64_t address, bool is_caller,
			     struct frame *frame);

size_t kernel_symbols__memory_bytes(const struct kernel_symbols *kernel);

/*
 * Takes an answer apart: "name+0x1f/0x5a0 [module]" becomes "name\t[module]", as a line of kallsyms
 * has it, in raw, and 0x1f in *offset. BPF programs get the module "[bpf]", which answers leave out.
 * False: it is only an address, or too long.
 */
bool kernel_answer__parse(const char *answer, char *raw, size_t size, uint64_t *offset);

/*
 * Reads all of /proc/kallsyms, the kernel's own symbols, its modules' and its BPF programs', into
 * *table, for names__kernel(); what has the address 0, as all has without CAP_SYSLOG, is left out. 0
 * or negative errno.
 */
int kallsyms__load(struct symbol_table **table);

/* The same of a descriptor of such a text. */
int kallsyms__read(int fd, struct symbol_table **table);

/*
 * Where the kernel is entered by an interrupt, or works off what one left behind. A stack of the
 * idle task that passes none of these is idling. NULL is none.
 */
bool interrupt__is_entry(const char *function);

#endif
