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
	struct time_budget budget; /* holds the time left */
};

static int equals_file(const void *item, const void *key)
{
	const struct file_layout *a = item, *b = key;

	return !strcmp(a->path, b->path) && !strcmp(a->build_id, b->build_id);
}

struct file_layouts *file_layouts__new(const struct file_layouts_options *options)
{
	struct file_layouts *layouts = xcalloc(1, sizeof(*layouts));

	layouts->options = *options;
	layouts->budget.left_ns = options->max_ns;
	layouts->strings = strings__new();
	layouts->opener = options->openers ? opener__new(options->openers) : NULL;
	map__init(&layouts->files, equals_file, free);
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

/* Reads a candidate. Returns whether it is the program itself, not its debug file. */
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
	if (debug_places__await(places, &reading, start_ns + layouts->budget.left_ns))
		is_read = !reading__finish(&reading, &answer) && answer.nr_bytes == sizeof(code);
	else
		reading__close(&reading);
	time_budget__spend(&layouts->budget, monotonic_ns() - start_ns);
	if (is_read) { /* a reader's answer is untrusted */
		memcpy(&code, answer.bytes, sizeof(code));
		is_read = code.nr && code.nr <= MAX_FILE_SEGMENTS;
	}
	reader_answer__free(&answer);
	/* Segments of the program tell more than those of its debug file. */
	if (is_read && (!file->code.nr || code.has_offsets))
		file->code = code;
	return is_read && code.has_offsets;
}

/* Finds or adds a file. NULL: there are too many. */
static const struct file_layout *layout_of(struct file_layouts *layouts,
					   const struct placed_file *placed)
{
	struct file_layout key = {.path = placed->path ? placed->path : "",
				  .build_id = placed->build_id ? placed->build_id : ""};
	struct debug_places places = {.fd = -1,
				      .root = -1,
				      .symfs = layouts->options.symfs,
				      .opener = layouts->opener,
				      .budget = &layouts->budget};
	struct file_layout *file;
	bool is_found = false;

	key.item.hash = map__hash(&layouts->files, key.path, strlen(key.path));
	key.item.hash = map__hash_more(key.item.hash, key.build_id, strlen(key.build_id));
	file = map__find(&layouts->files, &key.item);
	if (file || map__nr_items(&layouts->files) >= MAX_FILES)
		return file;
	file = xmalloc(sizeof(*file));
	*file = key;
	file->path = strings__intern(layouts->strings, key.path, strlen(key.path));
	file->build_id = strings__intern(layouts->strings, key.build_id, strlen(key.build_id));
	map__add(&layouts->files, &file->item);

	places.path = file->path;
	for (uint32_t i = 0; !is_found && i < MAX_TRIED && layouts->budget.left_ns; i++) {
		const int fd = debug_places__open_file(&places, file->build_id, i);

		if (fd < 0)
			break;
		is_found = read_file(layouts, &places, fd, file);
		close(fd);
	}
	return file;
}

/* ---- addresses ---- */

bool file_layouts__find(void *context, const struct placed_file *placed, uint64_t address,
			uint64_t *in_file)
{
	const struct file_layout *file = layout_of(context, placed);
	const uint64_t offset = address - placed->start + placed->offset;

	for (uint64_t i = 0; file && i < file->code.nr; i++) {
		const struct file_segment *segment = &file->code.segments[i];
		const uint64_t first = segment->address & ~(PAGE - 1);
		const uint64_t end = (segment->address + segment->size + PAGE - 1) & ~(PAGE - 1);

		if (file->code.has_offsets && offset >= segment->offset &&
		    offset - segment->offset < segment->size) {
			*in_file = offset - segment->offset + segment->address;
			return true;
		}
		/* A debug file's segment that spans as many pages as the mapping. */
		if (!file->code.has_offsets && end - first == placed->limit - placed->start) {
			*in_file = address - placed->start + first;
			return true;
		}
	}
	return false;
}
