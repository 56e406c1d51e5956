// SPDX-License-Identifier: GPL-2.0-only
#include "readers/allocator_file.h"

#define REGISTER_BYTES 8
#define MAX_REGISTERS  32 /* aarch64: x0 to x30, sp */

const char *allocator_function__name(enum allocator_function function)
{
	static const char *const names[ALLOCATOR_FUNCTIONS] = {
		[ALLOCATOR_MALLOC] = "malloc",
		[ALLOCATOR_CALLOC] = "calloc",
		[ALLOCATOR_REALLOC] = "realloc",
		[ALLOCATOR_REALLOCARRAY] = "reallocarray",
		[ALLOCATOR_FREE] = "free",
		[ALLOCATOR_POSIX_MEMALIGN] = "posix_memalign",
		[ALLOCATOR_ALIGNED_ALLOC] = "aligned_alloc",
		[ALLOCATOR_MEMALIGN] = "memalign",
		[ALLOCATOR_VALLOC] = "valloc",
		[ALLOCATOR_PVALLOC] = "pvalloc",
	};

	return names[function];
}

/* Whether the argument is safe to read for BPF programs. One that the probe lacks is 0. */
static bool is_valid_argument(const struct probe_argument *argument)
{
	const unsigned int size = argument->size;
	const bool is_missing =
		argument->kind == PROBE_ARGUMENT_CONSTANT && !size && !argument->number;

	return argument->kind <= PROBE_ARGUMENT_MEMORY && argument->is_signed <= 1 &&
	       (size == 1 || size == 2 || size == 4 || size == 8 || is_missing) &&
	       argument->register_offset % REGISTER_BYTES == 0 &&
	       argument->register_offset / REGISTER_BYTES < MAX_REGISTERS;
}

bool allocator_file__is_valid(const void *answer, size_t nr_bytes)
{
	const struct allocator_file *said = answer;

	if (nr_bytes != sizeof(*said) || said->nr_sites > ALLOCATOR_MAX_SITES)
		return false;
	for (size_t i = 0; i < said->nr_sites; i++) {
		const struct allocator_site *site = &said->sites[i];
		const struct alloc_site *arguments = &site->arguments;

		if (site->probe >= ALLOCATOR_PROBES || site->offset > INT64_MAX ||
		    site->semaphore > INT64_MAX || !is_valid_argument(&arguments->pointer) ||
		    !is_valid_argument(&arguments->size) || !is_valid_argument(&arguments->bytes) ||
		    !is_valid_argument(&arguments->told))
			return false;
	}
	return true;
}
