/* SPDX-License-Identifier: GPL-2.0-only */
/* The part of an ELF file that a table is compiled from. */
#ifndef TOPSTACKS_UNWIND_SOURCE_H
#define TOPSTACKS_UNWIND_SOURCE_H

#include <libelf.h>

#include "unwind/cfi.h"

/*
 * Fills source from a file; its section's data belong to elf. Returns 0 or what
 * unwind_table__build() documents.
 */
int cfi_source__read(struct cfi_source *source, Elf *elf);

#endif
