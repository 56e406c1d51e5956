// SPDX-License-Identifier: GPL-2.0-only
/*
 * Invariant: what is open has debug information that is proven to belong to the file of this path
 * and build ID; and of a file that lacks a build ID, no second one had the path.
 */
#include "lines/files.h"

#include <errno.h>
#include <fcntl.h>
#include <libiberty/ansidecl.h>
#include <libiberty/hashtab.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "elf/debug_files.h"
#include "elf/file.h"
#include "processes/file.h"

#define MAX_FILES 8192 /* others have no lines */
#define MAX_OPEN  128  /* kept open; others are opened by path and build ID */

struct line_files {
	htab_t table;
	const char *symfs;
	hashval_t seed;
	size_t nr_open;
};

static hashval_t hash_file(const void *entry)
{
	return ((const struct line_file *)entry)->hash;
}

static int equals_file(const void *entry, const void *key)
{
	const struct line_file *a = entry, *b = key;

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

static void free_file(void *entry)
{
	struct line_file *file = entry;

	close_file(file);
	free(file->asked);
	free(file->path);
	free(file->build_id);
	free(file);
}

struct line_files *line_files__new(const char *symfs)
{
	struct line_files *files = calloc(1, sizeof(*files));

	if (!files)
		return NULL;
	files->symfs = symfs;
	files->table = htab_try_create(64, hash_file, equals_file, free_file);
	if (!files->table) {
		free(files);
		return NULL;
	}
	/* Whoever chooses paths must not be able to choose their hashes; 0 works as well. */
	if (getrandom(&files->seed, sizeof(files->seed), GRND_NONBLOCK) < 0)
		files->seed = 0;
	return files;
}

void line_files__free(struct line_files *files)
{
	if (!files)
		return;
	htab_delete(files->table);
	free(files);
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
	void **slot;

	key.hash = iterative_hash(key.path, strlen(path), files->seed);
	key.hash = iterative_hash(key.build_id, strlen(key.build_id), key.hash);
	file = htab_find_with_hash(files->table, &key, key.hash);
	if (file || htab_elements(files->table) >= MAX_FILES)
		return file;
	file = new_file(&key);
	slot = file ? htab_find_slot_with_hash(files->table, file, file->hash, INSERT) : NULL;
	if (slot)
		*slot = file;
	else if (file)
		free_file(file);
	return slot ? file : NULL;
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
	struct build_id id;
};

static void look_into(int fd, struct file_contents *contents)
{
	struct elf_section section;
	struct elf_file file;

	*contents = (struct file_contents){0};
	if (elf_file__open(&file, fd))
		return;
	contents->has_debug = elf_file__find(&file, ".debug_info", &section) ||
			      elf_file__find(&file, ".zdebug_info", &section);
	elf_file__build_id(&file, &contents->id);
	elf_file__close(&file);
}

static void open_debug(struct line_files *files, struct line_file *file, int fd, int root,
		       bool has_debug)
{
	const struct debug_query query = {
		.fd = fd, .path = file->path, .root = root, .symfs = files->symfs};

	file->fd = has_debug ? fcntl(fd, F_DUPFD_CLOEXEC, 0)
			     : debug_files__open(&query, ".debug_info");
	if (file->fd < 0) {
		file->fd = -1;
		file->state = FILE_DONE;
		return;
	}
	file->alternate = debug_files__open_alternate(&query, file->fd);
	if (file->alternate < 0)
		file->alternate = -1;
	file->state = FILE_OPEN;
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

static bool is_hex_of(const char *hex, const struct build_id *id)
{
	static const char digits[] = "0123456789abcdef";

	if (!id->length || strlen(hex) != 2 * id->length)
		return false;
	for (size_t i = 0; i < id->length; i++)
		if (hex[2 * i] != digits[id->bytes[i] >> 4] ||
		    hex[2 * i + 1] != digits[id->bytes[i] & 15])
			return false;
	return true;
}

void line_file__open(struct line_files *files, struct line_file *file)
{
	const int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	const int fd = root >= 0 && *file->build_id ? file__open_regular(root, file->path) : -1;
	struct file_contents contents;

	file->state = FILE_DONE;
	if (fd >= 0) {
		look_into(fd, &contents);
		if (is_hex_of(file->build_id, &contents.id))
			open_debug(files, file, fd, -1, contents.has_debug);
		close(fd);
	}
	if (root >= 0)
		close(root);
}

/* ---- all of them ---- */

struct file_visit {
	bool (*on_file)(void *context, struct line_file *file);
	void *context;
	struct line_file *found;
};

static int visit_file(void **slot, void *context)
{
	struct file_visit *visit = context;

	if (!visit->on_file(visit->context, *slot))
		return 1;
	visit->found = *slot;
	return 0;
}

struct line_file *line_files__first(const struct line_files *files,
				    bool (*on_file)(void *context, struct line_file *file),
				    void *context)
{
	struct file_visit visit = {on_file, context, NULL};

	htab_traverse_noresize(files->table, visit_file, &visit);
	return visit.found;
}
