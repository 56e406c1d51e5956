// SPDX-License-Identifier: GPL-2.0-only
#include "symbols/files/file_layouts.h"

#include <unistd.h>

#include "base/strings.h"
#include "base/time_budget.h"
#include "processes/opener.h"
#include "readers/file_segments.h"
#include "readers/readers.h"
#include "symbols/debug/debug_places.h"

#define MAX_FILES 8192 /* further files are not found */
#define MAX_TRIED 16   /* candidates for a file */
#define PAGE	  4096ULL

struct file_layout {
	struct map_item item;
	const char *path, *build_id; /* "": not known */
	struct file_segments code;   /* nr 0: not known */
};

struct file_layouts {
	struct file_layouts_options options;
	struct map files;
	struct strings *strings;
	struct opener *opener;
	struct hurry hurry; /* holds the time left */
};

static int equals_file(const void *item, const void *key)
{
	const struct file_layout *a = item, *b = key;

	return !strcmp(a->path, b->path) && !strcmp(a->build_id, b->build_id);
}

struct file_layouts *file_layouts__new(const struct file_layouts_options *options)
{
	struct file_layouts *layouts = calloc(1, sizeof(*layouts));

	if (!layouts)
		return NULL;
	layouts->options = *options;
	layouts->hurry.left_ns = options->max_ns;
	layouts->strings = strings__new();
	layouts->opener = options->openers ? opener__new(options->openers) : NULL;
	if (!layouts->strings || (options->openers && !layouts->opener) ||
	    map__init(&layouts->files, equals_file, free)) {
		file_layouts__free(layouts);
		return NULL;
	}
	return layouts;
}

void file_layouts__free(struct file_layouts *layouts)
{
	if (!layouts)
		return;
	map__fini(&layouts->files);
	strings__free(layouts->strings);
	opener__free(layouts->opener);
	free(layouts);
}

/* ---- reading ---- */

/* Copies a reader's answer, which is untrusted, after checking it. */
static bool take_answer(const struct reader_answer *answer, struct file_segments *code)
{
	if (answer->nr_bytes != sizeof(*code))
		return false;
	memcpy(code, answer->bytes, sizeof(*code));
	return code->nr && code->nr <= MAX_FILE_SEGMENTS;
}

static bool read_file(struct file_layouts *layouts, const struct debug_places *places, int fd,
		      struct file_layout *file)
{
	const uint64_t start_ns = monotonic_ns();
	struct segments_request request = {0};
	struct reader_answer answer = {0};
	struct reading reading = {0};
	struct file_segments code;
	bool is_read = false;

	if (strlen(file->build_id) >= sizeof(request.build_id))
		return false;
	strcpy(request.build_id, file->build_id);
	if (reading__start(&reading, layouts->options.readers, READ_SEGMENTS, &fd, 1, &request,
			   sizeof(request)))
		return false;
	if (debug_places__await(places, &reading, start_ns + layouts->hurry.left_ns))
		is_read = !reading__finish(&reading, &answer) && take_answer(&answer, &code);
	else
		reading__close(&reading);
	hurry__spend(&layouts->hurry, monotonic_ns() - start_ns);
	reader_answer__free(&answer);
	/* Segments of the program tell more than those of its debug file. */
	if (is_read && (!file->code.nr || code.has_offsets))
		file->code = code;
	return is_read && code.has_offsets;
}

static void find_file(struct file_layouts *layouts, struct file_layout *file)
{
	const struct debug_places places = {.fd = -1,
					    .path = file->path,
					    .root = -1,
					    .symfs = layouts->options.symfs,
					    .opener = layouts->opener,
					    .hurry = &layouts->hurry};
	bool is_found = false;

	for (uint32_t i = 0; !is_found && i < MAX_TRIED && layouts->hurry.left_ns; i++) {
		const int fd = debug_places__open_file(&places, file->build_id, i);

		if (fd < 0)
			return;
		is_found = read_file(layouts, &places, fd, file);
		close(fd);
	}
}

/* Finds or adds a file. NULL: out of memory, or there are too many. */
static const struct file_layout *layout_of(struct file_layouts *layouts,
					   const struct placed_file *placed)
{
	struct file_layout key = {.path = placed->path ? placed->path : "",
				  .build_id = placed->build_id ? placed->build_id : ""};
	struct file_layout *file;

	key.item.hash = map__hash(&layouts->files, key.path, strlen(key.path));
	key.item.hash = map__hash_more(key.item.hash, key.build_id, strlen(key.build_id));
	file = map__find(&layouts->files, &key.item);
	if (file || map__nr_items(&layouts->files) >= MAX_FILES)
		return file;
	file = malloc(sizeof(*file));
	if (!file)
		return NULL;
	*file = key;
	file->path = strings__intern(layouts->strings, key.path, strlen(key.path));
	file->build_id = strings__intern(layouts->strings, key.build_id, strlen(key.build_id));
	if (!file->path || !file->build_id || map__add(&layouts->files, &file->item)) {
		free(file);
		return NULL;
	}
	find_file(layouts, file);
	return file;
}

/* ---- addresses ---- */

static bool find_offset(const struct file_segments *code, uint64_t offset, uint64_t *in_file)
{
	for (uint64_t i = 0; i < code->nr; i++) {
		const struct file_segment *segment = &code->segments[i];

		if (offset >= segment->offset && offset - segment->offset < segment->size) {
			*in_file = offset - segment->offset + segment->address;
			return true;
		}
	}
	return false;
}

static uint64_t first_page(const struct file_segment *segment)
{
	return segment->address & ~(PAGE - 1);
}

/* Takes the segment of a debug file that spans as many pages as the mapping. */
static bool find_pages(const struct file_segments *code, const struct placed_file *placed,
		       uint64_t address, uint64_t *in_file)
{
	for (uint64_t i = 0; i < code->nr; i++) {
		const struct file_segment *segment = &code->segments[i];
		const uint64_t end = segment->address + segment->size + PAGE - 1;

		if ((end & ~(PAGE - 1)) - first_page(segment) == placed->limit - placed->start) {
			*in_file = address - placed->start + first_page(segment);
			return true;
		}
	}
	return false;
}

bool file_layouts__find(void *context, const struct placed_file *placed, uint64_t address,
			uint64_t *in_file)
{
	const struct file_layout *file = layout_of(context, placed);

	if (!file || !file->code.nr)
		return false;
	if (!file->code.has_offsets)
		return find_pages(&file->code, placed, address, in_file);
	return find_offset(&file->code, address - placed->start + placed->offset, in_file);
}
