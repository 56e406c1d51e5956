/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From an ELF file to what the BPF program needs to know of an interpreter in it: where its state is, how its
 * frames are linked, and what they and their code look like. All of it is in the file, so that a process
 * is understood from its first sample on.
 *
 *	python.c, php.c	a kind of interpreter each, told by what its file exports, never by a file's name
 *	loops.c		which code is the interpreter's loop
 *	contents.c	what else is read of a file: names, bytes, versions
 */
#ifndef TOPSTACKS_INTERPRETERS_INTERPRETERS_H
#define TOPSTACKS_INTERPRETERS_INTERPRETERS_H

#include <stdbool.h>
#include <stdint.h>

#include "topstacks/interpreter_abi.h"

struct elf_file;

/*
 * base is the address of pc 0 of the file's unwind table: a pc is an address of the file less base. A file that is
 * no interpreter, or one that is not known well enough, leaves all zeros. 0 or -ENOMEM, and zeros.
 */
int interpreters__describe(struct elf_file *file, uint64_t base, struct interpreter *interpreter);

/*
 * Whether a description, of anybody's, may be followed: its kinds exist, and its fields are within what is read.
 * All zeros are, too: there is none.
 */
bool interpreter__is_sane(const struct interpreter *interpreter);

/* The language whose functions a native function runs, for people; NULL: it runs none. */
const char *interpreters__language_of(const char *function);

#endif
