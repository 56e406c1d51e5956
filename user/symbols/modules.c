// SPDX-License-Identifier: GPL-2.0-only
/*
 * A module lives as long as its file is open: what was read of a file that was closed may not be
 * true of the next one with its name.
 */
#include "symbols/modules.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/strings.h"
#include "elf/debug_files.h"
#include "elf/object.h"
#include "processes/mapped_files.h"

void module__free(struct module *module)
{
	if (module->object)
		module->modules->loaded_bytes -= object__memory_bytes(module->object);
	object__free(module->object);
	free(module);
}

void modules__renew(struct modules *modules, struct strings *strings)
{
	mapped_files__close_all(modules->files);
	modules->strings = strings;
}

static void bound_loaded(struct modules *modules)
{
	while (modules->loaded_bytes > modules->max_bytes)
		if (!mapped_files__close_oldest(modules->files))
			break;
}

/* NULL: it cannot be read. */
static struct object *read_object(const struct modules *modules, const struct mapped_file *file,
				  const struct mapped_file_user *user)
{
	struct debug_query query = {
		.fd = file->fd, .path = file->mapping.path, .root = -1, .symfs = modules->symfs};
	struct object *object = NULL;

	query.root = file__open_root(&user->by);
	if (object__read(&query, &object))
		object = NULL;
	if (query.root >= 0)
		close(query.root);
	return object;
}

static void read_module(struct module *module, struct mapped_file *file,
			const struct mapped_file_user *user)
{
	struct modules *modules = module->modules;
	struct object *object = read_object(modules, file, user);

	module->is_read = true;
	if (object && object__memory_bytes(object) > modules->max_bytes) {
		object__free(object);
		object = NULL;
	}
	if (!object)
		return;
	if (object->build_id[0])
		module->build_id = strings__intern(modules->strings, object->build_id,
						   strlen(object->build_id));
	module->object = object;
	modules->loaded_bytes += object__memory_bytes(object);
	bound_loaded(modules);
}

static struct module *add_module(struct modules *modules, struct mapped_file *file)
{
	struct module *module = calloc(1, sizeof(*module));
	const char *text;
	size_t length;

	if (!module)
		return NULL;
	module->modules = modules;
	length = mapped_file__short_name(file, &text);
	module->name = strings__intern(modules->strings, text, length);
	length = mapped_file__shown_path(file, &text);
	module->path = length ? strings__intern(modules->strings, text, length) : NULL;
	file->module = module;
	return module;
}

/* For the first address in a file. */
static __attribute__((noinline)) struct module *make_module(struct modules *modules,
							    struct mapped_file *file,
							    const struct mapped_file_user *user,
							    bool is_open)
{
	struct module *module = file->module ? file->module : add_module(modules, file);

	if (module && is_open && !module->is_read)
		read_module(module, file, user);
	return module;
}

struct module *modules__find(struct modules *modules, struct mapped_file *file,
			     const struct mapped_file_user *user, const struct object **object)
{
	const bool is_open = mapped_file__open(file, user);
	struct module *module = file->module;

	if (!module || (is_open && !module->is_read))
		module = make_module(modules, file, user, is_open);
	*object = is_open && module ? module->object : NULL;
	return module;
}

void modules__limit(struct modules *modules, size_t max_bytes)
{
	modules->max_bytes = max_bytes;
	bound_loaded(modules);
}
