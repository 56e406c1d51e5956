// SPDX-License-Identifier: GPL-2.0-only
/*
 *	555555554000-555555600000 r--p 00000000 08:01 42  /usr/bin/prog	before
 *	555555600000-555555c00000 r-xp 00000000 00:00 0		a copy, if the next file fits
 *	555555c00000-555555c4d000 r-xp 006ac000 08:01 42  /usr/bin/prog	after
 *
 * A mapping without a file waits until the next file mapping is met. It is a copy if the file
 * mappings before and after it are of one file, or if it adjoins one of them: then the copy may
 * cover the file's mapping up to its end. A file that is mapped executable from its beginning was
 * not made by a linker: a JIT writes its code there. The original is a mapping that relates
 * addresses to offsets in the file: one with code, or the beginning of the file.
 */
#include "processes/text_copies.h"

#include <limits.h>

#include "processes/maps.h"

#define MAX_WAITING	32
#define MAX_MEMORY_NAME 320 /* "/memfd:", 249 bytes, " (deleted)" */
#define NO_ADDRESS	UINT64_MAX

struct waiting_mapping {
	struct mapping mapping;
	char path[MAX_MEMORY_NAME];
};

struct copy_search {
	int (*on_mapping)(void *context, const struct mapping *mapping);
	void *context;
	struct waiting_mapping waiting[MAX_WAITING];
	size_t nr_waiting;
	struct mapping before;	 /* the last file mapping; no inode: none */
	struct mapping original; /* of that file; no inode: none yet */
	char path[PATH_MAX];	 /* of both mappings */
};

static bool has_prefix(const char *text, const char *prefix)
{
	return !strncmp(text, prefix, strlen(prefix));
}

static bool is_deleted(const char *path)
{
	static const char suffix[] = " (deleted)";
	const size_t nr_bytes = strlen(path);

	return nr_bytes >= sizeof(suffix) &&
	       !strcmp(path + nr_bytes - (sizeof(suffix) - 1), suffix);
}

static bool is_memfd(const struct mapping *mapping)
{
	return has_prefix(mapping->path, "/memfd:");
}

bool text_copies__may_be(const struct mapping *mapping)
{
	return mapping__kind(mapping) == MAPPING_ANONYMOUS || is_memfd(mapping) ||
	       (mapping__kind(mapping) == MAPPING_FILE && is_deleted(mapping->path));
}

static bool is_of_file(const struct mapping *mapping)
{
	return mapping->inode && mapping__kind(mapping) == MAPPING_FILE && !is_memfd(mapping);
}

static bool is_same_file(const struct mapping *a, const struct mapping *b)
{
	return a->inode && a->inode == b->inode && a->major == b->major && a->minor == b->minor;
}

/* ---- waiting mappings ---- */

/*
 * Finds the original for the waiting mappings that are copies. after: the file mapping met next, or
 * NULL. NULL: there is none.
 */
static const struct mapping *find_original(const struct copy_search *search,
					   const struct mapping *after, bool after_is_code)
{
	if (after && is_same_file(&search->before, after))
		return search->original.inode ? &search->original : after_is_code ? after : NULL;
	return NULL;
}

/* Number of waiting mappings that follow the last file mapping without a gap. */
static size_t count_adjoining(const struct copy_search *search)
{
	uint64_t end = search->before.inode ? search->before.end : NO_ADDRESS;
	size_t nr = 0;

	while (nr < search->nr_waiting && search->waiting[nr].mapping.start == end)
		end = search->waiting[nr++].mapping.end;
	return nr;
}

/*
 * Index of the first waiting mapping of those that are followed by the next file mapping without a
 * gap.
 */
static size_t first_adjoining(const struct copy_search *search, const struct mapping *after)
{
	uint64_t start = after ? after->start : 0;
	size_t first = search->nr_waiting;

	while (first && search->waiting[first - 1].mapping.end == start)
		start = search->waiting[--first].mapping.start;
	return first;
}

/*
 * Whether the memory may adjoin its original. A deleted file between two others is a file of its
 * own.
 */
static bool may_adjoin(const struct mapping *mapping)
{
	return mapping__kind(mapping) == MAPPING_ANONYMOUS;
}

static int hand_over(struct copy_search *search, const struct mapping *after, bool after_is_code)
{
	const struct mapping *const inside = find_original(search, after, after_is_code);
	const struct mapping *const of_before =
		search->original.offset || search->original.is_head ? &search->original : NULL;
	const bool tells = after && after_is_code && after->offset;
	const size_t nr_before = count_adjoining(search),
		     first_after = first_adjoining(search, after);
	int code = 0;

	for (size_t i = 0; i < search->nr_waiting && !code; i++) {
		struct mapping *mapping = &search->waiting[i].mapping;

		if (inside)
			mapping->original = inside;
		else if (may_adjoin(mapping) && i < nr_before && of_before)
			mapping->original = of_before;
		else if (may_adjoin(mapping) && i >= first_after && tells)
			mapping->original = after;
		mapping->is_beside = !inside;
		code = search->on_mapping(search->context, mapping);
	}
	search->nr_waiting = 0;
	return code;
}

/* ---- mappings as they are met ---- */

static bool wait_for_file(struct copy_search *search, const struct mapping *mapping)
{
	struct waiting_mapping *waiting = &search->waiting[search->nr_waiting];

	if (search->nr_waiting == MAX_WAITING || strlen(mapping->path) >= sizeof(waiting->path))
		return false;
	waiting->mapping = *mapping;
	waiting->mapping.path = strcpy(waiting->path, mapping->path);
	search->nr_waiting++;
	return true;
}

static void remember(struct copy_search *search, const struct mapping *mapping, bool executable)
{
	if (strlen(mapping->path) >= sizeof(search->path)) {
		search->before = search->original = (struct mapping){0};
		return;
	}
	if (!is_same_file(&search->before, mapping))
		search->original = (struct mapping){0};
	strcpy(search->path, mapping->path);
	search->before = *mapping;
	search->before.path = search->path;
	if (executable || (!mapping->offset && !search->original.inode)) {
		search->original = search->before;
		search->original.is_head = !executable;
	}
	search->original.path = search->path;
}

static int take_mapping(void *context, const struct mapping *mapping, bool executable)
{
	struct copy_search *search = context;
	const bool may_be = executable && text_copies__may_be(mapping) &&
			    !is_same_file(&search->before, mapping);
	struct mapping after;
	int code;

	if (may_be && wait_for_file(search, mapping))
		return 0;
	if (!executable && !is_of_file(mapping))
		return 0;
	after = *mapping;
	after.is_head = !executable && !mapping->offset;
	code = hand_over(search, is_of_file(mapping) ? &after : NULL, executable);
	if (!code && is_of_file(mapping))
		remember(search, mapping, executable);
	return code || !executable ? code : search->on_mapping(search->context, mapping);
}

int text_copies__each_executable(int text,
				 int (*on_mapping)(void *context, const struct mapping *mapping),
				 void *context)
{
	struct copy_search *search = calloc(1, sizeof(*search));
	int code;

	if (!search)
		return -ENOMEM;
	search->on_mapping = on_mapping;
	search->context = context;
	code = maps__each(text, take_mapping, search);
	if (!code)
		code = hand_over(search, NULL, false);
	free(search);
	return code;
}
