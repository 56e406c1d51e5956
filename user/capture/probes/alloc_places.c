// SPDX-License-Identifier: GPL-2.0-only
#include "capture/probes/alloc_places.h"

#include <fcntl.h>
#include <unistd.h>

#include "capture/probes/allocators.h"
#include "elf/file.h"
#include "elf/usdt.h"
#include "processes/file.h"

/* The probes by kind, in OpenTelemetry's naming and our library's. */
static const struct {
	const char *provider, *probe;
} passages[ALLOC_PASSAGES] = {
	/* pointer, size, bytes that the block stands for */
	[PASSAGE_CHOSEN] = {"otel_memory", "alloc"},
	[PASSAGE_FREED] = {"otel_memory", "free"}, /* pointer */
	[PASSAGE_BEGINS] = {"topstacks", "begins"},
	[PASSAGE_ENDS] = {"topstacks", "ends"}, /* bytes */
};

/* Assigns the arguments of a probe by their order; our library's probes have more of them. */
static struct alloc_site site_of(enum alloc_passage passage, const struct usdt_probe *probe)
{
	struct probe_argument arguments[5] = {{0}};

	for (size_t i = 0; i < 5 && i < probe->nr_arguments; i++)
		arguments[i] = probe->arguments[i];
	if (passage == PASSAGE_ENDS)
		return (struct alloc_site){.told = arguments[0]};
	if (passage == PASSAGE_FREED)
		return (struct alloc_site){.pointer = arguments[0], .number = arguments[1]};
	return (struct alloc_site){
		.pointer = arguments[0],
		.size = arguments[1],
		.bytes = arguments[2],
		.told = arguments[3],
		.number = arguments[4],
	};
}

/* Appends a place with a descriptor of its own for the file. Returns 0 or negative errno. */
static int append(struct alloc_places *places, int file, struct alloc_place place)
{
	place.file = dup(file);
	if (place.file < 0)
		return -errno;
	array__reserve(&places->list, &places->capacity, places->nr + 1);
	places->list[places->nr++] = place;
	return 0;
}

/* ---- places in our library ---- */

struct place_search {
	struct alloc_places *places;
	enum alloc_passage passage;
	int file;
};

static int take(void *context, const struct usdt_probe *probe)
{
	struct place_search *search = context;
	const struct alloc_place place = {
		.offset = probe->offset,
		.semaphore = probe->semaphore,
		.site = site_of(search->passage, probe),
	};

	if (strcmp(probe->name, passages[search->passage].probe) || !probe->is_nop)
		return 0;
	return append(search->places, search->file, place);
}

int alloc_places__of_library(struct alloc_places *places, const char *path,
			     enum alloc_passage passage, struct error *err)
{
	struct place_search search = {places, passage, open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)};
	int code = search.file < 0 ? -errno : 0;
	struct elf_file file;
	struct quoted quoted;

	if (!code) {
		code = elf_file__open(&file, search.file);
		if (!code) {
			code = usdt__each(&file, passages[passage].provider, take, &search);
			elf_file__close(&file);
			if (!code && !places->nr)
				code = -ENOENT;
		}
		close(search.file);
	}
	if (code)
		error__set(err, EXIT_SYSTEM, code, "cannot find probes in %s",
			   quote(&quoted, path));
	return code;
}

/* ---- places in allocators that report blocks themselves ---- */

static bool has_place(const struct alloc_places *places, int file, uint64_t offset)
{
	for (size_t i = 0; i < places->nr; i++)
		if (places->list[i].offset == offset && file__is_same(places->list[i].file, file))
			return true;
	return false;
}

int alloc_places__add_allocators(struct alloc_places *places, const struct allocators *allocators,
				 enum alloc_passage passage)
{
	const uint32_t probe =
		passage == PASSAGE_CHOSEN ? ALLOCATOR_TELLS_ALLOC : ALLOCATOR_TELLS_FREE;
	int code = 0;

	for (size_t i = 0; i < allocators->nr; i++) {
		const struct allocator *allocator = &allocators->list[i];

		for (uint32_t n = 0; n < allocator->said.nr_sites && !code; n++) {
			const struct allocator_site *site = &allocator->said.sites[n];
			const struct alloc_place place = {.offset = site->offset,
							  .semaphore = site->semaphore,
							  .site = site->arguments};

			if (site->probe == probe &&
			    !has_place(places, allocator->file, site->offset))
				code = append(places, allocator->file, place);
		}
	}
	return code;
}

void alloc_places__free(struct alloc_places *places)
{
	for (size_t i = 0; i < places->nr; i++)
		close(places->list[i].file);
	free(places->list);
	*places = (struct alloc_places){0};
}
