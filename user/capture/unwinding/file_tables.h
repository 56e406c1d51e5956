/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Unwind tables of the files that sampled processes map, placed in the maps that BPF programs read.
 */
#ifndef TOPSTACKS_CAPTURE_UNWINDING_FILE_TABLES_H
#define TOPSTACKS_CAPTURE_UNWINDING_FILE_TABLES_H

#include "base/common.h"
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
 * chunks_map: a map of maps for the chunks of rows, of max_bytes at most. mappings_map: for struct
 * unwind_mapping, by mapping; negative: none. map_calls counts the calls on both; interpreters gets
 * the interpreters; both are borrowed. *epoch is the programs' counter: it grows when a file is
 * shown or hidden, and before rows are overwritten; NULL: no program walks. NULL: no memory.
 */
struct unwind_files *unwind_files__new(int chunks_map, int mappings_map, size_t max_bytes,
				       struct map_calls *map_calls,
				       struct known_interpreters *interpreters, uint32_t *epoch);
/* Waits until the first chunk is made; do not use map_calls before. */
void unwind_files__await(struct unwind_files *files);
/* Frees all. The programs must have ended. NULL is fine. */
void unwind_files__free(struct unwind_files *files);

/*
 * Returns a file by identity, with a reference; zeros: the vDSO. *is_first: the caller must read
 * the file and call settle_file; until then it is pending for all. NULL: no memory.
 */
struct unwind_file *unwind_files__get(struct unwind_files *files,
				      const struct file_identity *identity, bool *is_first);

/*
 * Stores what a reader found. table: its rows are copied to the maps; the file owns it; NULL: the
 * file has none. interpreter: NULL: the file is no interpreter.
 */
void unwind_files__settle_file(struct unwind_files *files, struct unwind_file *file,
			       struct unwind_table *table, const struct interpreter *interpreter);

bool unwind_file__is_pending(const struct unwind_file *file);

/*
 * Returns true if the file's table is in place, or the file has none; false if it is pending or
 * found no room, or file is NULL.
 */
bool unwind_file__is_settled(const struct unwind_file *file);

/* Makes a mapping of the file known to the programs, unless the file is pending. */
void unwind_files__show(struct unwind_files *files, struct unwind_file *file,
			const struct mapping *mapping);

/* Drops a reference. Running programs may still use the file's rows. */
void unwind_files__put(struct unwind_files *files, struct unwind_file *file);

/* Tells that a grace period has passed: no program runs any more that ran at the last call. */
void unwind_files__settle(struct unwind_files *files);

/* As unwind_placement__regions; file may be NULL. */
size_t unwind_file__regions(const struct unwind_file *file, const struct unwind_memory *memory,
			    struct unwind_region *regions, size_t max_regions);

/* Returns the bytes of all chunks. */
size_t unwind_files__kernel_bytes(const struct unwind_files *files);

/* Files that should have a table but have none: each is reported once, up to so many in a run. */
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

/*
 * Notes a failure. code: negative errno of opening or reading the file; errors that only mean that
 * there is no table are ignored.
 */
void unwind_failures__note(struct unwind_failures *failures, const char *path, int code);

/* Writes the next failure, with the name in quotes; returns false if there is none left. */
bool unwind_failures__take(struct unwind_failures *failures, char *text, size_t size);

#endif
