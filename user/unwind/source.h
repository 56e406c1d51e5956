/* SPDX-License-Identifier: GPL-2.0-only */
/* The part of an ELF file that a table is compiled from. */
#ifndef TOPSTACKS_UNWIND_SOURCE_H
#define TOPSTACKS_UNWIND_SOURCE_H

#include "unwind/cfi.h"

struct elf_file;

/*
 * Fills source from a file, whose bytes it borrows as long as that is open. Returns 0 or what
 * unwind_table__build() documents.
 */
int cfi_source__read(struct cfi_source *source, struct elf_file *file);

#endif
