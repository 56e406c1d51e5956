/* SPDX-License-Identifier: GPL-2.0-only */
/* Unwind tables of the files that sampled processes have mapped, placed where the programs look. */
#ifndef TOPSTACKS_CAPTURE_UNWINDING_FILE_TABLES_H
#define TOPSTACKS_CAPTURE_UNWINDING_FILE_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "processes/file.h"

struct interpreter;
struct known_interpreters;
struct map_calls;
struct mapping;
struct unwind_file;
struct unwind_files;
struct unwind_memory;
struct unwind_region;
struct unwind_table;

/*
 * Chunks of rows go into chunks_map, a map of maps; max_bytes of them at most. Where files are
 * mapped goes into mappings_map (struct unwind_mapping), unless it is negative. Calls on either are
 * counted in map_calls, and interpreters told of, which are both borrowed. *epoch grows when the program is
 * told of a file, or no more, and before rows are where others were; it is the program's, and NULL where none walks. NULL: no memory.
 */
struct unwind_files *unwind_files__new(int chunks_map, int mappings_map, size_t max_bytes,
				       struct map_calls *map_calls,
				       struct known_interpreters *interpreters, uint32_t *epoch);
/* The first chunk is begun with; nobody else may look at map_calls before this has returned. */
void unwind_files__await(struct unwind_files *files);
/* The programs must have ended. NULL is fine. */
void unwind_files__free(struct unwind_files *files);

/*
 * The file, with a reference; zeros: the vDSO. *is_first: somebody must read it, and settle it then;
 * for others it is pending until then. NULL: no memory.
 */
struct unwind_file *unwind_files__get(struct unwind_files *files,
				      const struct file_identity *identity, bool *is_first);

/*
 * What is known of it: its table, whose rows are copied; NULL: it has none. interpreter: what it says of itself as one;
 * NULL: it is none.
 */
void unwind_files__settle_file(struct unwind_files *files, struct unwind_file *file,
			       struct unwind_table *table, const struct interpreter *interpreter);

bool unwind_file__is_pending(const struct unwind_file *file);

/* It has a table in its place, or never will: not one that found no room. NULL is not. */
bool unwind_file__is_settled(const struct unwind_file *file);

/* Tells the program of a mapping of the file, unless that is pending. */
void unwind_files__show(struct unwind_files *files, struct unwind_file *file,
			const struct mapping *mapping);

/* Programs that run now may still look at its rows. */
void unwind_files__put(struct unwind_files *files, struct unwind_file *file);

/* No program runs any more that ran at the last call. */
void unwind_files__settle(struct unwind_files *files);

/* As unwind_placement__regions; file may be NULL. */
size_t unwind_file__regions(const struct unwind_file *file, const struct unwind_memory *memory,
			    struct unwind_region *regions, size_t max_regions);

/* Bytes of all chunks. */
size_t unwind_files__kernel_bytes(const struct unwind_files *files);

/* Files without a table that may well have one: each is told of once, the first few of a run. */
#define UNWIND_MAX_FAILURES 16

/* Zeroed at first. */
struct unwind_failures {
	struct {
		char *path;
		int code;
	} of[UNWIND_MAX_FAILURES];
	size_t nr, nr_taken;
};

void unwind_failures__fini(struct unwind_failures *failures);

/* code: how opening or reading it ended; most say that there is no table, and are no failure. */
void unwind_failures__note(struct unwind_failures *failures, const char *path, int code);

/* The next one in words, its name in quotes; false: there is none that was not taken. */
bool unwind_failures__take(struct unwind_failures *failures, char *text, size_t size);

#endif
