// SPDX-License-Identifier: GPL-2.0-only
/*
 * Invariant: what is open has debug information that is proven to belong to the file of this path
 * and build ID; and of a file that lacks a build ID, no second one had the path.
 */
#include "lines/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/map.h"
#include "base/rights.h"
#include "elf/debug_files.h"
#include "elf/file.h"
#include "processes/file.h"
#include "processes/open_file.h"
#include "readers/offers.h"
#include "symbols/debug_places.h"

#define MAX_FILES 8192 /* others have no lines */
#define MAX_OPEN  128  /* kept open; others are opened by path and build ID */

static int equals_file(const void *item, const void *key)
{
	const struct line_file *a = item, *b = key;

	return !strcmp(a->path, b->path) && !strcmp(a->build_id, b->build_id);
}

static void close_file(struct line_file *file)
{
	if (file->fd >= 0)
		close(file->fd);
	if (file->alternate >= 0)
		close(file->alternate);
	file->fd = file->alternate = -1;
	file->state = FILE_DONE;
}

static void free_file(void *item)
{
	struct line_file *file = item;

	close_file(file);
	free(file->asked);
	free(file->path);
	free(file->build_id);
	free(file);
}

int line_files__init(struct line_files *files, const char *symfs)
{
	*files = (struct line_files){.symfs = symfs};
	return map__init(&files->map, equals_file, free_file);
}

void line_files__fini(struct line_files *files)
{
	map__fini(&files->map);
}

static struct line_file *new_file(const struct line_file *key)
{
	struct line_file *file = calloc(1, sizeof(*file));

	if (!file)
		return NULL;
	*file = *key;
	file->path = strdup(key->path);
	file->build_id = strdup(key->build_id);
	if (!file->path || !file->build_id) {
		free_file(file);
		return NULL;
	}
	return file;
}

/* ---- finding ---- */

struct line_file *line_files__find(struct line_files *files, const char *path, const char *build_id)
{
	struct line_file key = {.path = (char *)path,
				.build_id = (char *)(build_id ? build_id : ""),
				.fd = -1,
				.alternate = -1};
	struct line_file *file;

	key.item.hash = map__hash(&files->map, path, strlen(path));
	key.item.hash = map__hash_more(key.item.hash, key.build_id, strlen(key.build_id));
	file = map__find(&files->map, &key.item);
	if (file || map__nr_items(&files->map) >= MAX_FILES)
		return file;
	file = new_file(&key);
	if (file && map__add(&files->map, &file->item)) {
		free_file(file);
		return NULL;
	}
	return file;
}

void line_file__done(struct line_files *files, struct line_file *file)
{
	if (file->state == FILE_OPEN)
		files->nr_open--;
	close_file(file);
}

/* What is in an ELF file that decides whether it is worth keeping. */
struct file_contents {
	bool has_debug;
	char build_id[BUILD_ID_TEXT_SIZE];
};

static void look_into(int fd, struct file_contents *contents)
{
	struct elf_section section;
	struct elf_file file;
	struct build_id id;

	*contents = (struct file_contents){0};
	if (elf_file__open(&file, fd))
		return;
	contents->has_debug = elf_file__find(&file, ".debug_info", &section) ||
			      elf_file__find(&file, ".zdebug_info", &section);
	elf_file__build_id(&file, &id);
	build_id__format(&id, contents->build_id);
	elf_file__close(&file);
}

/* What belongs to a file, and may lie in these places. */
static int offer(void *context, enum debug_question question, const char *name, unsigned int index)
{
	struct reader_question asked;

	return offers__question(&asked, question, name, index) ? debug_places__open(context, &asked)
							       : -ENOENT;
}

static void open_debug(struct line_files *files, struct line_file *file, int fd, int root,
		       bool has_debug)
{
	struct debug_places places = {
		.fd = fd, .path = file->path, .root = root, .symfs = files->symfs};
	const struct debug_offers offers = {offer, &places};

	file->fd = has_debug ? fcntl(fd, F_DUPFD_CLOEXEC, 0)
			     : debug_files__open(fd, ".debug_info", &offers);
	file->state = file->fd < 0 ? FILE_DONE : FILE_OPEN;
	if (file->fd < 0)
		return;
	file->alternate = debug_files__open_alternate(file->fd, &offers);
	files->nr_open++;
}

void line_files__keep(struct line_files *files, const char *path, const char *build_id, int fd,
		      int root)
{
	struct line_file *file = line_files__find(files, path, build_id);
	struct file_contents contents;
	struct file_identity identity;

	if (!file || file__identify(fd, &identity))
		return;
	if (!build_id && file->origin.inode && !file_identity__equals(&file->origin, &identity))
		line_file__done(files, file);
	if (file->state != FILE_CLOSED || files->nr_open >= MAX_OPEN)
		return;
	file->origin = identity;
	look_into(fd, &contents);
	open_debug(files, file, fd, root, contents.has_debug);
}

void line_file__open(struct line_files *files, struct line_file *file)
{
	const uint64_t before = rights__raise(RIGHTS_TO_LOOK);
	const int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	const int fd = root >= 0 && *file->build_id ? open_file__below(root, file->path, true) : -1;
	struct file_contents contents;

	rights__restore(before);
	file->state = FILE_DONE;
	if (fd >= 0) {
		look_into(fd, &contents);
		if (!strcmp(file->build_id, contents.build_id))
			open_debug(files, file, fd, -1, contents.has_debug);
		close(fd);
	}
	if (root >= 0)
		close(root);
}
