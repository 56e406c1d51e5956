/* SPDX-License-Identifier: GPL-2.0-only */
/* Unwind tables of the files that sampled processes have mapped, placed where the programs look. */
#ifndef TOPSTACKS_CAPTURE_UNWIND_FILES_H
#define TOPSTACKS_CAPTURE_UNWIND_FILES_H

#include <stddef.h>
#include <stdint.h>

struct map_calls;
struct mapping;
struct unwind_file;
struct unwind_files;
struct unwind_region;

/*
 * Chunks of rows go into chunks_map, a map of maps; max_bytes of them at most. Where files are
 * mapped goes into mappings_map (struct unwind_mapping), unless it is negative. Calls on either are
 * counted in map_calls, which is borrowed. NULL: no memory.
 */
struct unwind_files *unwind_files__new(int chunks_map, int mappings_map, size_t max_bytes,
				       struct map_calls *map_calls);
/* The programs must have ended. NULL is fine. */
void unwind_files__free(struct unwind_files *files);

/*
 * The file behind an executable mapping of a process, with a reference; it is read, and its table
 * built, if that was not done. NULL: not a file, or out of reach. A file without a table is one,
 * too.
 */
struct unwind_file *unwind_files__get(struct unwind_files *files, const struct mapping *mapping,
				      int32_t pid);

/* Programs that run now may still look at its rows. */
void unwind_files__put(struct unwind_files *files, struct unwind_file *file);

/* No program runs any more that ran at the last call. */
void unwind_files__settle(struct unwind_files *files);

/* As unwind_placement__regions; file may be NULL. */
size_t unwind_file__regions(const struct unwind_file *file, const struct mapping *mapping,
			    struct unwind_region *regions, size_t max_regions);

/* Bytes of all chunks. */
size_t unwind_files__kernel_bytes(const struct unwind_files *files);

#endif
