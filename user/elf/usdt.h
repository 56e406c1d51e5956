/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Probes that a program was built with, as <sys/sdt.h> makes them: a nop each, and a note in
 * .note.stapsdt that says where it is and where its arguments are when it is reached.
 */
#ifndef TOPSTACKS_ELF_USDT_H
#define TOPSTACKS_ELF_USDT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "topstacks/abi.h"

struct elf_file;

#define USDT_MAX_ARGUMENTS 12 /* as many as the macros take */

/* Strings are the file's. */
struct usdt_probe {
	const char *name;
	uint64_t offset;     /* of the instruction, in the file */
	uint64_t semaphore;  /* in the file: 2 bytes that count who listens; 0: none */
	bool is_nop;	     /* the instruction is one of a size that can have a probe */
	size_t nr_arguments; /* that are understood, from the first one on */
	struct probe_argument arguments[USDT_MAX_ARGUMENTS];
};

/*
 * Hands over the probes of a provider, borrowed for the call, in the file's order, until take returns
 * another number than 0, which is returned. A probe whose note is damaged, or whose places are not in the
 * file, is left out.
 */
int usdt__each(struct elf_file *file, const char *provider,
	       int (*take)(void *context, const struct usdt_probe *probe), void *context);

/*
 * Takes a note's arguments apart, "8@%rdi -4@16(%rbp)", as the assembler of the machine (EM_X86_64,
 * EM_AARCH64) writes them. Returns how many of them are understood, before the first one that is not.
 */
size_t usdt__read_arguments(const char *text, unsigned int machine,
			    struct probe_argument arguments[USDT_MAX_ARGUMENTS]);

#endif
