/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Describes the interpreter in an ELF file for the BPF program: where its state is, how its frames
 * are linked, and the layout of frames and code objects. All of it comes from the file, so that a
 * process is understood from its first sample on.
 *
 *	python.c, php.c	a kind of interpreter each, recognized by the file's exports, not its name
 *	loops.c		finds the code of the interpreter's loop
 *	contents.c	reads a file's names, bytes and versions
 */
#ifndef TOPSTACKS_INTERPRETERS_INTERPRETERS_H
#define TOPSTACKS_INTERPRETERS_INTERPRETERS_H

#include "base/common.h"
#include "topstacks/interpreter_abi.h"

struct elf_file;

/*
 * Describes the interpreter in a file. base: address of pc 0 of the file's unwind table; a pc is an
 * address in the file minus base. All zeros: the file has no interpreter, or no supported one. 0 or
 * -ENOMEM, with zeros.
 */
int interpreters__describe(struct elf_file *file, uint64_t base, struct interpreter *interpreter);

/*
 * Whether an untrusted description may be used: its kinds exist, and its fields are within the
 * bytes read. All zeros, no interpreter, is fine.
 */
bool interpreter__is_sane(const struct interpreter *interpreter);

/* The language that a native function interprets, for people; NULL: none. */
const char *interpreters__language_of(const char *function);

#endif
