// SPDX-License-Identifier: GPL-2.0-only
#include "capture/probes/malloc_places.h"

#include <unistd.h>

#include "capture/events/probe.h"
#include "capture/probes/allocators.h"
#include "capture/probes/probe_place.h"
#include "processes/file.h"

/* Numbers of the arguments with size and number, from 1 on; 0: no such argument. */
static const struct {
	unsigned int size, number;
} functions[ALLOCATOR_FUNCTIONS] = {
	[ALLOCATOR_MALLOC] = {1, 0},	     [ALLOCATOR_CALLOC] = {2, 1},
	[ALLOCATOR_REALLOC] = {2, 0},	     [ALLOCATOR_REALLOCARRAY] = {3, 2},
	[ALLOCATOR_POSIX_MEMALIGN] = {3, 0}, [ALLOCATOR_ALIGNED_ALLOC] = {2, 0},
	[ALLOCATOR_MEMALIGN] = {2, 0},	     [ALLOCATOR_VALLOC] = {1, 0},
	[ALLOCATOR_PVALLOC] = {1, 0},
};

static struct probe_argument argument_at(unsigned int number)
{
	if (!number)
		return (struct probe_argument){
			.kind = PROBE_ARGUMENT_CONSTANT, .size = sizeof(uint64_t), .number = 1};
	return (struct probe_argument){.kind = PROBE_ARGUMENT_REGISTER,
				       .size = sizeof(uint64_t),
				       .register_offset = probe__argument_offset(number)};
}

static uint32_t mask_of(unsigned int number)
{
	return number ? 1U << (number - 1) : 0;
}

static bool is_listed(const struct malloc_places *places, int file, uint64_t offset)
{
	for (size_t i = 0; i < places->nr; i++)
		if (places->list[i].offset == offset && file__is_same(places->list[i].file, file))
			return true;
	return false;
}

static int add_function(struct malloc_places *places, const struct allocator *allocator,
			enum allocator_function function, struct readers *readers,
			struct error *err)
{
	const unsigned int size = functions[function].size, number = functions[function].number;
	const struct uprobe probe = {.file = allocator->path,
				     .symbol = allocator_function__name(function),
				     .arguments = mask_of(size) | mask_of(number)};
	struct probe_place found;
	int file, code = probe_place__find(&found, &probe, allocator->file, readers, err);

	if (code || is_listed(places, allocator->file, found.offset))
		return code;
	if (places->nr == ABI_MAX_MALLOC_CALLS)
		return error__say(err, EXIT_USAGE, -E2BIG,
				  "these processes have too many allocators: name fewer of them");
	file = dup(allocator->file);
	if (file < 0)
		return error__set(err, EXIT_SYSTEM, -errno, "cannot keep a file open");
	places->list[places->nr++] = (struct malloc_place){
		.file = file,
		.offset = found.offset,
		.is_emulated = found.of_function.is_emulated,
		.call = {.size = argument_at(size),
			 .number = argument_at(number),
			 .before = (uint32_t)found.of_function.offset,
			 .code_bytes = (uint32_t)found.function_bytes},
	};
	return 0;
}

int malloc_places__add(struct malloc_places *places, const struct allocator *allocator,
		       struct readers *readers, struct error *err)
{
	int code = 0;

	for (uint32_t i = 0; i < ALLOCATOR_FUNCTIONS && !code; i++)
		if (functions[i].size && allocator__functions(allocator) & 1U << i)
			code = add_function(places, allocator, i, readers, err);
	return code;
}

size_t malloc_places__find(const struct malloc_places *places, int file)
{
	size_t i = 0;

	while (i < places->nr && !file__is_same(places->list[i].file, file))
		i++;
	return i;
}

void malloc_places__free(struct malloc_places *places)
{
	while (places->nr)
		close(places->list[--places->nr].file);
}
