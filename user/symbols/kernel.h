/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of kernel addresses: from the kernel's answers, or else from its list of symbols; and which
 * of these names mark interrupts.
 */
#ifndef TOPSTACKS_SYMBOLS_KERNEL_H
#define TOPSTACKS_SYMBOLS_KERNEL_H

#include "base/common.h"

struct frame;
struct strings;
struct symbol_table;

struct kernel_symbols {
	bool demangle;
	/* As in symbols_options. */
	const char *(*ask_kernel)(void *context, uint64_t address);
	void *context;

	struct strings *strings;
	const char *module; /* module of addresses without a symbol */
	struct map known;
	bool answers;		   /* the kernel has answered once */
	bool listed;		   /* the list was read */
	struct symbol_table *list; /* NULL: not read, or empty */
};

/*
 * The caller sets ask_kernel and context first. strings is borrowed and must live longer.
 */
void kernel_symbols__init(struct kernel_symbols *kernel, struct strings *strings);
void kernel_symbols__fini(struct kernel_symbols *kernel);

/* Drops all names; new ones are made in strings. */
void kernel_symbols__renew(struct kernel_symbols *kernel, struct strings *strings);

/* As symbols__resolve_kernel(). */
void kernel_symbols__resolve(struct kernel_symbols *kernel, uint64_t address, bool is_caller,
			     struct frame *frame);

size_t kernel_symbols__memory_bytes(const struct kernel_symbols *kernel);

/*
 * Parses an answer: "name+0x1f/0x5a0 [module]" becomes raw "name\t[module]", as in a line of
 * kallsyms, and *offset 0x1f. BPF programs get the module "[bpf]", which answers leave out. False:
 * the answer is a bare address, or too long.
 */
bool kernel_answer__parse(const char *answer, char *raw, size_t size, uint64_t *offset);

/*
 * Reads the text of /proc/kallsyms, with the symbols of the kernel, its modules and BPF programs,
 * into *table, for names__kernel(). Leaves out symbols with the address 0, which all have without
 * CAP_SYSLOG. 0 or negative errno.
 */
int kallsyms__read(int fd, struct symbol_table **table);

/*
 * Whether a function is the entry of an interrupt, or handles deferred work of one. A stack of the
 * idle task without such a function is idling. function: NULL: false.
 */
bool interrupt__is_entry(const char *function);

#endif
