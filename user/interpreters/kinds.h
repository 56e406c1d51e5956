/* SPDX-License-Identifier: GPL-2.0-only */
/* The inside of this folder: kinds of interpreters, and how they read a file. */
#ifndef TOPSTACKS_INTERPRETERS_KINDS_H
#define TOPSTACKS_INTERPRETERS_KINDS_H

#include "base/common.h"
#include "topstacks/interpreter_abi.h"

struct elf_file;
struct named_place;

/* ---- kinds: python.c, php.c ---- */

/* The native functions that interpret the language. */
#define PYTHON_LOOP "_PyEval_EvalFrameDefault"
#define PHP_LOOP    "execute_ex"

/*
 * Describes one kind of interpreter: fills all fields except the language and the sizes of structs
 * to read. 0; -ENOENT: the file is not of this kind, or of an unsupported version; -ENOMEM.
 */
int python__describe(struct elf_file *file, uint64_t base, struct interpreter *interpreter);
int php__describe(struct elf_file *file, uint64_t base, struct interpreter *interpreter);

/* ---- the interpreter's loop: loops.c ---- */

/*
 * Finds the code of the loop, which is one function. Its symbol has most of it. The compiler may
 * have moved rarely used code to another place, which has no symbol in a stripped file, but a
 * record in .eh_frame. Jumps identify it: the loop jumps there, and it jumps back into the loop.
 *
 * Returns the parts as pcs, the one with the symbol first. 0; -ENOENT: no function with pcs;
 * -ENOMEM.
 */
int loops__find(struct elf_file *file, uint64_t base, const struct named_place *function,
		struct interpreter_range loops[INTERPRETER_MAX_LOOPS]);

/* ---- a file's names, bytes and versions: contents.c ---- */

/*
 * Finds exported symbols with these names; if one of the first nr_needed is missing, also looks in
 * .symtab. False: one of these is not found.
 */
bool contents__locate(struct elf_file *file, struct named_place *places, size_t nr_places,
		      size_t nr_needed);

/* Bytes of the file at an address, valid while it is open. NULL: the file has fewer there. */
const void *contents__at(struct elf_file *file, uint64_t address, size_t nr_bytes);

/*
 * Reads the numbers, separated by dots, behind every occurrence of text in the file's constants and
 * names of libraries: 9 for "python3.", say. False: there is no occurrence, or they differ.
 */
bool contents__numbers(struct elf_file *file, const char *text, unsigned int *numbers,
		       size_t nr_numbers);

#endif
