/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Unwind tables: from an ELF file's .eh_frame and .debug_frame to sorted rows of 8 bytes, with
 * which a stack is walked without frame pointers. The format is in unwind_abi.h.
 *
 * A table is built once for a file and never changes. It knows nothing of processes: a pc is turned
 * into one of the table by the mapping it lies in (unwind_table__locate).
 */
#ifndef TOPSTACKS_UNWIND_UNWIND_H
#define TOPSTACKS_UNWIND_UNWIND_H

#include <stddef.h>
#include <stdint.h>

#include "topstacks/unwind_abi.h"

struct unwind_table;

/*
 * Builds the table of an open regular file, reading what it needs with pread(). *table is the
 * caller's to free. Returns 0, or
 *   -ENOENT   it has neither section, or no executable segment
 *   -EBADMSG  not an ELF file, or damaged so that nothing of it can be used
 *   -ENOTSUP  an ELF file of another kind or machine than x86-64 and aarch64
 *   -E2BIG    more than UNWIND_MAX_ROWS rows, or a section of more than 128 MB
 *   -ENOMEM, or what reading gave
 */
int unwind_table__build(int fd, struct unwind_table **table);

/* The same for an image in memory: the vDSO. It is not needed any more afterwards. */
int unwind_table__build_image(const void *image, size_t nr_bytes, struct unwind_table **table);

/* NULL is allowed. */
void unwind_table__free(struct unwind_table *table);

/* Borrowed, as long as the table lives. There is at least one row, and rows[0].pc is 0. */
const struct unwind_row *unwind_table__rows(const struct unwind_table *table, uint32_t *nr_rows);

/* Gives their memory back once they are elsewhere: then there are none, and nothing is found. */
void unwind_table__forget_rows(struct unwind_table *table);

/*
 * The pc of the table at which the byte file_offset of the file is when mapped executable: for the
 * start of a mapping with that offset, bias = mapping start - *pc, and pc = address - bias.
 * Returns 0, or -ENOENT if no executable segment holds that byte.
 */
int unwind_table__locate(const struct unwind_table *table, uint64_t file_offset, int64_t *pc);

#endif
