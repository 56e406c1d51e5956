// SPDX-License-Identifier: GPL-2.0-only
#include "capture/alloc_places.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/quote.h"
#include "elf/file.h"
#include "elf/usdt.h"

/* What tells of blocks, in the words of OpenTelemetry's contract, and of our own library beside it. */
static const struct {
	const char *provider, *probe;
} passages[ALLOC_PASSAGES] = {
	[PASSAGE_CHOSEN] = {"otel_memory", "alloc"}, /* pointer, size, bytes that it stands for */
	[PASSAGE_FREED] = {"otel_memory", "free"},   /* pointer */
	[PASSAGE_BEGINS] = {"topstacks", "begins"},
	[PASSAGE_ENDS] = {"topstacks", "ends"}, /* bytes */
};

/* Of a probe's arguments, in their order; ours has one more. */
static struct alloc_site site_of(enum alloc_passage passage, const struct usdt_probe *probe)
{
	struct probe_argument arguments[4] = {{0}};

	for (size_t i = 0; i < 4 && i < probe->nr_arguments; i++)
		arguments[i] = probe->arguments[i];
	if (passage == PASSAGE_ENDS)
		return (struct alloc_site){.told = arguments[0]};
	return (struct alloc_site){
		.pointer = arguments[0],
		.size = arguments[1],
		.bytes = arguments[2],
		.told = arguments[3],
	};
}

struct search {
	struct alloc_places *places;
	enum alloc_passage passage;
	int file;
};

static int add(struct search *search, const struct usdt_probe *probe)
{
	struct alloc_places *places = search->places;
	const struct alloc_place place = {
		.file = dup(search->file),
		.offset = probe->offset,
		.semaphore = probe->semaphore,
		.site = site_of(search->passage, probe),
	};

	if (place.file < 0)
		return -errno;
	if (array__reserve(&places->list, &places->capacity, places->nr + 1)) {
		close(place.file);
		return -ENOMEM;
	}
	places->list[places->nr++] = place;
	return 0;
}

static int take(void *context, const struct usdt_probe *probe)
{
	struct search *search = context;

	if (strcmp(probe->name, passages[search->passage].probe) || !probe->is_nop)
		return 0;
	return add(search, probe);
}

static int find(struct search *search)
{
	struct elf_file file;
	int code = elf_file__open(&file, search->file);

	if (code)
		return code;
	code = usdt__each(&file, passages[search->passage].provider, take, search);
	elf_file__close(&file);
	return code || search->places->nr ? code : -ENOENT;
}

int alloc_places__of_library(struct alloc_places *places, const char *path,
			     enum alloc_passage passage, struct error *err)
{
	struct search search = {places, passage, open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)};
	int code = search.file < 0 ? -errno : find(&search);
	struct quoted quoted;

	if (search.file >= 0)
		close(search.file);
	if (code)
		error__set(err, EXIT_SYSTEM, code, "cannot find probes in %s",
			   quote(&quoted, path));
	return code;
}

void alloc_places__free(struct alloc_places *places)
{
	for (size_t i = 0; i < places->nr; i++)
		close(places->list[i].file);
	free(places->list);
	*places = (struct alloc_places){0};
}
