/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Probes built into a program by <sys/sdt.h>: a nop each, and a note in .note.stapsdt that tells
 * its address and the places of its arguments.
 */
#ifndef TOPSTACKS_ELF_USDT_H
#define TOPSTACKS_ELF_USDT_H

#include "base/common.h"
#include "topstacks/abi.h"

struct elf_file;

#define USDT_MAX_ARGUMENTS 12 /* limit of the macros */

/* A probe; its strings belong to the file. */
struct usdt_probe {
	const char *name;
	uint64_t offset;     /* file offset of the instruction */
	uint64_t semaphore;  /* file offset of a 2-byte count of listeners; 0: none */
	bool is_nop;	     /* the instruction is a nop of a size that a probe may replace */
	size_t nr_arguments; /* supported arguments before the first unsupported one */
	struct probe_argument arguments[USDT_MAX_ARGUMENTS];
};

/*
 * Calls take with each probe of a provider, borrowed for the call, in the file's order, until it
 * returns non-zero, and returns that. Skips probes with invalid notes or addresses.
 */
int usdt__each(struct elf_file *file, const char *provider,
	       int (*take)(void *context, const struct usdt_probe *probe), void *context);

/*
 * Parses a note's arguments, "8@%rdi -4@16(%rbp)", in the assembler syntax of the machine
 * (EM_X86_64, EM_AARCH64). Returns the number of supported ones before the first unsupported one.
 */
size_t usdt__read_arguments(const char *text, unsigned int machine,
			    struct probe_argument arguments[USDT_MAX_ARGUMENTS]);

#endif
