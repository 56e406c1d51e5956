/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A reader's answer on a file that may allocate memory for other files: the probes by which it
 * tells of allocations, and the functions of malloc's family in it. Arguments: none. The answer: a
 * struct allocator_file.
 *
 * A file tells by probes of OpenTelemetry's provider (elf/usdt.h), where a sample is taken:
 *
 *	otel_memory:alloc(void *block, uint64_t size, uint64_t bytes that the sample stands for)
 *	otel_memory:free(void *block)
 *
 * Our own library says with the first one, too, how much was allocated since the last one.
 */
#ifndef TOPSTACKS_READERS_ALLOCATOR_FILE_H
#define TOPSTACKS_READERS_ALLOCATOR_FILE_H

#include "base/common.h"
#include "topstacks/abi.h"

#define ALLOCATOR_MAX_SITES 32 /* of both probes; inlining by the compiler gives several */

enum allocator_probe {
	ALLOCATOR_TELLS_ALLOC,
	ALLOCATOR_TELLS_FREE,
	ALLOCATOR_PROBES,
};

struct allocator_site {
	uint64_t offset;    /* file offset of the instruction */
	uint64_t semaphore; /* file offset; 0: none */
	uint32_t probe;	    /* enum allocator_probe */
	uint32_t padding;
	struct alloc_site arguments; /* the arguments that the probe has */
};

enum allocator_function {
	ALLOCATOR_MALLOC,
	ALLOCATOR_CALLOC,
	ALLOCATOR_REALLOC,
	ALLOCATOR_REALLOCARRAY,
	ALLOCATOR_FREE,
	ALLOCATOR_POSIX_MEMALIGN,
	ALLOCATOR_ALIGNED_ALLOC,
	ALLOCATOR_MEMALIGN,
	ALLOCATOR_VALLOC,
	ALLOCATOR_PVALLOC,
	ALLOCATOR_FUNCTIONS,
};

struct allocator_file {
	uint32_t nr_sites;
	/* Sites with unsupported arguments, or with no nop; or beyond limits. */
	uint32_t nr_unusable;
	uint32_t exported;  /* bit N: other files may call enum allocator_function N here */
	uint32_t defined;   /* likewise: the file has it, maybe only for itself */
	uint32_t is_libc;   /* the C library: it starts programs */
	uint32_t is_loader; /* the loader: it has a malloc only for its own time */
	struct allocator_site sites[ALLOCATOR_MAX_SITES];
};

/* The name: "malloc". */
const char *allocator_function__name(enum allocator_function function);

/* Whether an untrusted answer is valid. */
bool allocator_file__is_valid(const void *answer, size_t nr_bytes);

#endif
