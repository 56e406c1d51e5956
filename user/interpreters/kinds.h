/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Each kind of interpreter: from a file to all fields but the language and the bytes that are read of
 * structs. 0; -ENOENT: it is none of these, or none that is known; -ENOMEM.
 */
#ifndef TOPSTACKS_INTERPRETERS_KINDS_H
#define TOPSTACKS_INTERPRETERS_KINDS_H

#include <stdint.h>

/* The native functions that run the language's. */
#define PYTHON_LOOP "_PyEval_EvalFrameDefault"
#define PHP_LOOP    "execute_ex"

struct elf_file;
struct interpreter;

int python__describe(struct elf_file *file, uint64_t base, struct interpreter *interpreter);
int php__describe(struct elf_file *file, uint64_t base, struct interpreter *interpreter);

#endif
