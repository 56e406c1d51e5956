// SPDX-License-Identifier: GPL-2.0-only
/*
 * Invariant: an open file was mapped as the file with this path and build ID, or it has the path
 * and its reader checks the build ID. For a file without build ID, no second file had the path.
 */
#include "lines/files.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/shortage.h"
#include "processes/file.h"
#include "symbols/debug/debug_places.h"

#define MAX_FILES 8192 /* further files have no lines */
#define MAX_TRIED 16   /* candidates for a file */
#define MAX_OPEN  256  /* kept open; others are opened by path and build ID */

static int equals_file(const void *item, const void *key)
{
	const struct line_file *a = item, *b = key;

	return !strcmp(a->path, b->path) && !strcmp(a->build_id, b->build_id);
}

static void close_file(struct line_file *file)
{
	if (file->fd >= 0)
		close(file->fd);
	if (file->root >= 0)
		close(file->root);
	file->fd = file->root = -1;
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

void line_files__init(struct line_files *files, struct opener *opener, const char *symfs)
{
	*files = (struct line_files){.opener = opener, .symfs = symfs};
	files->own_root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	map__init(&files->map, equals_file, free_file);
}

void line_files__fini(struct line_files *files)
{
	map__fini(&files->map);
	if (files->own_root > 0)
		close(files->own_root);
}

/* ---- finding ---- */

struct line_file *line_files__find(struct line_files *files, const char *path, const char *build_id)
{
	struct line_file key = {.path = (char *)path,
				.build_id = (char *)(build_id ? build_id : ""),
				.fd = -1,
				.root = -1};
	struct line_file *file;

	key.item.hash = map__hash(&files->map, path, strlen(path));
	key.item.hash = map__hash_more(key.item.hash, key.build_id, strlen(key.build_id));
	file = map__find(&files->map, &key.item);
	if (file || map__nr_items(&files->map) >= MAX_FILES)
		return file;
	file = xcalloc(1, sizeof(*file));
	*file = key;
	file->path = xstrdup(key.path);
	file->build_id = xstrdup(key.build_id);
	map__add(&files->map, &file->item);
	return file;
}

void line_file__done(struct line_files *files, struct line_file *file)
{
	if (file->state == FILE_OPEN)
		files->nr_open--;
	close_file(file);
}

void line_files__keep(struct line_files *files, const char *path, const char *build_id, int fd,
		      int root)
{
	struct line_file *file = line_files__find(files, path, build_id);
	struct file_identity identity;

	if (!file || file__identify(fd, &identity))
		return;
	if (!build_id && file->origin.inode && !file_identity__equals(&file->origin, &identity))
		line_file__done(files, file);
	if (file->state != FILE_CLOSED || files->nr_open >= MAX_OPEN)
		return;
	file->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	if (file->fd < 0)
		return;
	if (root >= 0 && !file__is_same(root, files->own_root))
		file->root = fcntl(root, F_DUPFD_CLOEXEC, 0);
	file->origin = identity;
	file->state = FILE_OPEN;
	files->nr_open++;
}

bool line_file__open(struct line_files *files, struct line_file *file, struct time_budget *budget)
{
	const struct debug_places places = {.fd = -1,
					    .path = file->path,
					    .root = -1,
					    .symfs = files->symfs,
					    .opener = files->opener,
					    .budget = budget};
	int fd = -ENOENT;

	if (*file->build_id)
		fd = debug_places__open_file(&places, file->build_id, file->nr_tried);
	if (fd == -EAGAIN)
		return false;
	file->state = fd < 0 ? FILE_DONE : FILE_OPEN;
	file->failure = fd == -ETIMEDOUT || shortage__is(fd) ? fd : 0;
	if (fd < 0)
		return true;
	file->nr_tried++;
	file->fd = fd;
	files->nr_open++;
	return true;
}

bool line_file__try_next(struct line_files *files, struct line_file *file)
{
	if (!file->nr_tried || file->nr_tried > MAX_TRIED)
		return false;
	close(file->fd);
	file->fd = -1;
	file->state = FILE_CLOSED;
	files->nr_open--;
	return true;
}
