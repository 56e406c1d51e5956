/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Describes one kind of interpreter: fills all fields except the language and the sizes of structs
 * to read. 0; -ENOENT: the file is not of this kind, or of an unsupported version; -ENOMEM.
 */
#ifndef TOPSTACKS_INTERPRETERS_KINDS_H
#define TOPSTACKS_INTERPRETERS_KINDS_H

#include "base/common.h"

/* The native functions that interpret the language. */
#define PYTHON_LOOP "_PyEval_EvalFrameDefault"
#define PHP_LOOP    "execute_ex"

struct elf_file;
struct interpreter;

int python__describe(struct elf_file *file, uint64_t base, struct interpreter *interpreter);
int php__describe(struct elf_file *file, uint64_t base, struct interpreter *interpreter);

#endif
