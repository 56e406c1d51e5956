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

static bool is_memfd(const struct mapping *mapping)
{
	return !strncmp(mapping->path, "/memfd:", strlen("/memfd:"));
}

bool text_copies__may_be(const struct mapping *mapping)
{
	static const char suffix[] = " (deleted)";
	const size_t nr_bytes = strlen(mapping->path);

	if (mapping__kind(mapping) == MAPPING_ANONYMOUS || is_memfd(mapping))
		return true;
	return mapping__kind(mapping) == MAPPING_FILE && nr_bytes >= sizeof(suffix) &&
	       !strcmp(mapping->path + nr_bytes - (sizeof(suffix) - 1), suffix);
}

static bool is_of_file(const struct mapping *mapping)
{
	return mapping->inode && mapping__kind(mapping) == MAPPING_FILE && !is_memfd(mapping);
}

static bool is_same_file(const struct mapping *a, const struct mapping *b)
{
	return a->inode && a->inode == b->inode && a->major == b->major && a->minor == b->minor;
}

/*
 * Whether the memory may adjoin its original. A deleted file between two others is a file of its
 * own.
 */
static bool may_adjoin(const struct mapping *mapping)
{
	return mapping__kind(mapping) == MAPPING_ANONYMOUS;
}

/* Hands over the waiting mappings. after: the file mapping met next, or NULL. */
static int hand_over(struct copy_search *search, const struct mapping *after, bool after_is_code)
{
	const struct mapping *const of_before =
		search->original.offset || search->original.is_head ? &search->original : NULL;
	const bool tells = after && after_is_code && after->offset;
	const struct mapping *inside = NULL;
	size_t nr_before = 0, first_after = search->nr_waiting;
	uint64_t at;
	int code = 0;

	/* Between two mappings of one file, all are copies of it. */
	if (after && is_same_file(&search->before, after))
		inside = search->original.inode ? &search->original : after_is_code ? after : NULL;

	/* Those that follow the last file mapping without a gap, and those that the next follows. */
	at = search->before.inode ? search->before.end : NO_ADDRESS;
	while (nr_before < search->nr_waiting && search->waiting[nr_before].mapping.start == at)
		at = search->waiting[nr_before++].mapping.end;
	at = after ? after->start : 0;
	while (first_after && search->waiting[first_after - 1].mapping.end == at)
		at = search->waiting[--first_after].mapping.start;

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
	struct waiting_mapping *waiting = &search->waiting[search->nr_waiting];
	const bool may_be = executable && text_copies__may_be(mapping) &&
			    !is_same_file(&search->before, mapping);
	struct mapping after;
	int code;

	if (may_be && search->nr_waiting < MAX_WAITING &&
	    strlen(mapping->path) < sizeof(waiting->path)) {
		waiting->mapping = *mapping;
		waiting->mapping.path = strcpy(waiting->path, mapping->path);
		search->nr_waiting++;
		return 0;
	}
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
	struct copy_search *search = xcalloc(1, sizeof(*search));
	int code;
	search->on_mapping = on_mapping;
	search->context = context;
	code = maps__each(text, take_mapping, search);
	if (!code)
		code = hand_over(search, NULL, false);
	free(search);
	return code;
}
