/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How a running process allocates memory: which of its files report blocks themselves, and which
 * malloc it calls. Files are opened by an opener and read by readers, as they are untrusted.
 */
#ifndef TOPSTACKS_CAPTURE_PROBES_ALLOCATORS_H
#define TOPSTACKS_CAPTURE_PROBES_ALLOCATORS_H

#include "base/common.h"
#include "readers/allocator_file.h"

struct opener;
struct readers;

/* A file that has otel_memory probes, or malloc and free. */
struct allocator {
	int file;	 /* open for reading; owned by the list */
	char *path;	 /* as the process has it mapped, untrusted; owned by the list */
	bool is_program; /* the program, not a library */
	struct allocator_file said;
};

/*
 * Files with allocators. Zeroed: none. Sorted by address; the loader fills the address space
 * downwards, so a file loaded earlier comes later.
 */
struct allocators {
	struct allocator *list;
	size_t nr, capacity;
	size_t nr_unread; /* files that could not be opened or read */
};

/*
 * Finds the allocators of a process of our pid namespace. Takes some ms for each mapped file, 5 s
 * at most. opener NULL: this process opens the files. Returns 0, also if there is none, or negative
 * errno with a sentence.
 */
int allocators__find(struct allocators *allocators, int32_t pid, struct opener *opener,
		     struct readers *readers, struct error *err);

/* Returns the functions that the process can call: bit N is enum allocator_function N. */
uint32_t allocator__functions(const struct allocator *allocator);

/*
 * Looks at a program that has not started; file stays the caller's. Returns 0, also if it has no
 * allocator, or negative errno with a sentence.
 */
int allocators__of_program(struct allocators *allocators, int file, struct readers *readers,
			   struct error *err);

/* Returns true if one of the files has otel_memory probes for allocations. */
bool allocators__tell(const struct allocators *allocators);

/*
 * Returns the file whose malloc the process calls. The dynamic loader chooses the program's, then
 * that of a library loaded before libc, then libc's. NULL: there is none, and err has a sentence.
 */
const struct allocator *allocators__with_malloc(const struct allocators *allocators, int32_t pid,
						struct error *err);

/* Zeroed is fine. */
void allocators__close(struct allocators *allocators);

#endif
