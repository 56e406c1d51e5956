/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How a running process allocates memory: which of its files tell of that by themselves, and whose malloc it calls.
 * Files are opened by an opener and read by readers: they may be anybody's.
 */
#ifndef TOPSTACKS_CAPTURE_PROBES_ALLOCATORS_H
#define TOPSTACKS_CAPTURE_PROBES_ALLOCATORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "readers/allocator_file.h"

struct opener;
struct readers;

/* A file that has probes of otel_memory, or malloc and free. */
struct allocator {
	int file;	 /* for reading; the list's */
	char *path;	 /* as the process has it mapped, hostile; the list's */
	bool is_program; /* not a library */
	struct allocator_file said;
};

/* Zeroed: none. In order of address: what is loaded first is behind what is loaded later. */
struct allocators {
	struct allocator *list;
	size_t nr, capacity;
	size_t nr_unread; /* files that could not be opened or read */
};

/*
 * Of a process of our pid namespace. Takes some ms for each file that it has mapped, 5 s at most. opener NULL: files
 * are opened by ourselves. 0, also if there is none; or negative errno with a sentence.
 */
int allocators__find(struct allocators *allocators, int32_t pid, struct opener *opener,
		     struct readers *readers, struct error *err);

/* What of its functions the process may call: bit N is enum allocator_function N. */
uint32_t allocator__functions(const struct allocator *allocator);

/*
 * Of a program that does not run yet; file is the caller's. 0, also if it has none; or negative errno with a sentence.
 */
int allocators__of_program(struct allocators *allocators, int file, struct readers *readers,
			   struct error *err);

/* One has probes of otel_memory for what is allocated. */
bool allocators__tell(const struct allocators *allocators);

/*
 * Whose malloc the process calls, as the dynamic loader chooses: the program's, a library's that came before libc,
 * libc's. NULL: nobody's, and err has a sentence.
 */
const struct allocator *allocators__with_malloc(const struct allocators *allocators, int32_t pid,
						struct error *err);

/* Zeroed is fine. */
void allocators__close(struct allocators *allocators);

#endif
