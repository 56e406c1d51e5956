// SPDX-License-Identifier: GPL-2.0-only
#include "symbols/jit/jvm.h"

#include "elf/object.h"
#include "elf/symbol_table.h"
#include "processes/attacher_text.h"
#include "processes/mapped_files.h"
#include "processes/mappings.h"
#include "processes/time_lines.h"
#include "symbols/files/modules.h"

/* Most mappings of that name that are looked at: a process may map anything. */
#define MAX_TRIES 4

struct jvm_search {
	struct modules *modules;
	const struct image *image;
	struct roots *roots;
	unsigned int nr_tries;
	int found; /* result, as of jvm__is() */
};

static int look_at(void *context, void *item)
{
	struct jvm_search *search = context;
	const struct mapped_area *area = item;
	const struct image *image = search->image;
	const struct mapped_file_user user = {
		.by = {image->pid, image->start_ticks, area->range.start, area->range.last + 1,
		       image->root, search->roots},
		.serial = image->serial,
		.seen_ns = area->mapped_ns > image->seen_ns ? area->mapped_ns : image->seen_ns,
	};
	const struct object *object;
	struct module *module;

	if (area->file->kind != MAPPING_FILE || !attach_text__is_library(area->file->mapping.path))
		return 0;
	module = modules__find(search->modules, area->file, &user, &object);
	if (module && object)
		/*
		 * Every JVM exports the first symbol; another JVM than HotSpot would not take
		 * SIGQUIT as a request to attach.
		 */
		search->found = symbol_table__has(object->table, "JNI_CreateJavaVM") &&
				symbol_table__has(object->table, "JVM_handle_linux_signal");
	else if (module && module__is_pending(module, area->file))
		search->found = -EINPROGRESS;
	return search->found || ++search->nr_tries == MAX_TRIES;
}

int jvm__is(struct modules *modules, const struct image *image, struct roots *roots)
{
	struct jvm_search search = {modules, image, roots, 0, 0};

	modules__go_on(modules);
	mappings__each(image->mappings, look_at, &search);
	return search.found;
}
