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

#include "base/common.h"
#include "topstacks/unwind_abi.h"

struct elf_file;
struct unwind_table;

/*
 * Builds the table of an open regular file, reading what it needs with pread(). *table is the
 * caller's to free. Returns 0, or
 *   -ENOENT   it has neither section, or no executable segment
 *   -EBADMSG  not an ELF file, or damaged so that nothing of it can be used
 *   -ENOTSUP  an ELF file of another kind or machine than x86-64 and aarch64
 *   -E2BIG    more than UNWIND_MAX_ROWS rows or 131,072 CIEs, or a section of more than 128 MB
 *   -ENOMEM, or what reading gave
 */
int unwind_table__build(int fd, struct unwind_table **table);

/* The same for an ELF file that is open already, and stays open. */
int unwind_table__build_of(struct elf_file *file, struct unwind_table **table);

/* The address in the file of the table's pc 0. */
uint64_t unwind_table__base(const struct unwind_table *table);

/*
 * ---- Images ----
 *
 * Files are read in confined processes; the resulting table is passed on as an image.
 */
#define UNWIND_MAX_IMAGE_BYTES ((17U << 20) - 4096) /* 17 MiB together with the data before it */

/* Appends the image to a file. 0 or negative errno. */
int unwind_table__write(const struct unwind_table *table, int fd);

/*
 * Makes a table of an image. The bytes, aligned for any type, are borrowed until the table is freed
 * or its rows are forgotten, and must not change. They are not trusted: *table is safe to search
 * and walk with, or the result is -EBADMSG.
 */
int unwind_table__view(const void *bytes, size_t nr_bytes, struct unwind_table **table);

/* NULL is allowed. */
void unwind_table__free(struct unwind_table *table);

/* The rows, borrowed while the table lives. There is at least one, and rows[0].pc is 0. */
const struct unwind_row *unwind_table__rows(const struct unwind_table *table, uint32_t *nr_rows);

/*
 * Frees the rows once they are copied elsewhere: then the table has none, and lookups find nothing.
 */
void unwind_table__forget_rows(struct unwind_table *table);

/*
 * The pc of the table at which the byte file_offset of the file is when mapped executable: for the
 * start of a mapping with that offset, bias = mapping start - *pc, and pc = address - bias.
 * Returns 0, or -ENOENT if no executable segment holds that byte.
 */
int unwind_table__locate(const struct unwind_table *table, uint64_t file_offset, int64_t *pc);

/*
 * ---- Space ----
 *
 * The memory of rows for the BPF program: chunks of UNWIND_CHUNK_ROWS, which their owner creates on
 * demand (as a BPF map; as plain memory in tests). Adding or removing a table never moves another
 * one's rows.
 */
struct unwind_space {
	size_t max_bytes; /* limit of all chunks; a limit below one chunk holds nothing */
	/*
	 * Returns writable memory of UNWIND_CHUNK_ENTRIES rows; NULL: there is none. chunk: number
	 * from 0.
	 */
	struct unwind_row *(*new_chunk)(void *context, uint32_t chunk);
	void *context;

	struct unwind_chunk *chunks; /* NULL at first */
	size_t nr_chunks, capacity;
};

/* Does not free chunks: they belong to their owner. */
void unwind_space__fini(struct unwind_space *space);

struct unwind_placement {
	size_t nr_shards;
	struct unwind_shard shards[];
};

/*
 * Copies the rows of a table. *placement is valid until it is removed. 0, -ENOSPC (it is too large,
 * or other tables must be removed first), or -ENOMEM: new_chunk gave none.
 */
int unwind_space__add(struct unwind_space *space, const struct unwind_table *table,
		      struct unwind_placement **placement);

/*
 * Frees a placement, NULL is fine. Its rows may be overwritten from now on, so no program may read
 * them any more.
 */
void unwind_space__remove(struct unwind_space *space, struct unwind_placement *placement);

/*
 * Executable memory with the table's file. Byte offset of the file is, or would be, mapped at
 * address `mapped`. is_head: mapped is the file's beginning, and not code.
 */
struct unwind_memory {
	uint64_t start, end;
	uint64_t mapped, offset;
	bool is_head;
};

/*
 * Fills in the regions of that memory for the BPF program: one for each shard, in order of address.
 * Without a placement, or if the table has no rows for the mapping, one region without rows. Writes
 * at most max_regions (nr_shards + 1 always suffices), and returns their number.
 */
size_t unwind_placement__regions(const struct unwind_placement *placement,
				 const struct unwind_table *table,
				 const struct unwind_memory *memory, struct unwind_region *regions,
				 size_t max_regions);

#endif
