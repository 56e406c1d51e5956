// SPDX-License-Identifier: GPL-2.0-only
#include "capture/probes/allocators.h"

#include <fcntl.h>
#include <unistd.h>

#include "processes/maps.h"
#include "processes/opener.h"
#include "readers/readers.h"

#define MAX_FILES 1024 /* a browser maps some 200 */
#define MAX_NS	  5000000000ULL

#define MALLOC_AND_FREE (1U << ALLOCATOR_MALLOC | 1U << ALLOCATOR_FREE)

/* ---- the files of a process ---- */

struct mapped_list {
	struct mapping *mappings; /* the first mapping of each file; the list owns the paths */
	size_t nr, capacity;
};

static bool is_listed(const struct mapped_list *list, const struct mapping *mapping)
{
	for (size_t i = 0; i < list->nr; i++)
		if (list->mappings[i].inode == mapping->inode &&
		    list->mappings[i].major == mapping->major &&
		    list->mappings[i].minor == mapping->minor)
			return true;
	return false;
}

static int list_mapping(void *context, const struct mapping *mapping)
{
	struct mapped_list *list = context;
	struct mapping listed = *mapping;

	if (mapping__kind(mapping) != MAPPING_FILE || is_listed(list, mapping) ||
	    list->nr == MAX_FILES)
		return 0;
	listed.path = xstrdup(mapping->path);
	array__reserve(&list->mappings, &list->capacity, list->nr + 1);
	list->mappings[list->nr++] = listed;
	return 0;
}

static int list_files(struct mapped_list *list, int32_t pid, struct opener *opener)
{
	const struct mapped_by by = {.pid = pid};
	const struct opening opening = {.kind = OPENING_PROCESS, .by = &by, .path = MAPS_FILE};
	const int text = opener__open(opener, &opening, NULL);
	int code;

	if (text < 0)
		return text;
	code = maps__each_executable(text, list_mapping, list);
	close(text);
	return code;
}

/* ---- reading the files ---- */

static bool is_allocator(const struct allocator_file *said)
{
	return said->nr_sites || said->nr_unusable ||
	       (said->defined & MALLOC_AND_FREE) == MALLOC_AND_FREE;
}

static int read_file(struct allocator *allocator, struct readers *readers)
{
	struct reader_answer answer = {0};
	int code = readers__read(readers, READ_ALLOCATOR, allocator->file, NULL, 0, &answer);

	if (!code && !allocator_file__is_valid(answer.bytes, answer.nr_bytes))
		code = -EBADMSG;
	if (!code)
		memcpy(&allocator->said, answer.bytes, sizeof(allocator->said));
	reader_answer__free(&answer);
	return code;
}

static void keep(struct allocators *allocators, struct allocator *allocator, const char *path)
{
	allocator->path = xstrdup(path);
	array__reserve(&allocators->list, &allocators->capacity, allocators->nr + 1);
	allocators->list[allocators->nr++] = *allocator;
}

/* Reads one file and keeps it if it has an allocator. */
static void look_at(struct allocators *allocators, const struct mapping *mapping, bool is_program,
		    int32_t pid, struct opener *opener, struct readers *readers)
{
	const struct mapped_by by = {.pid = pid, .start = mapping->start, .end = mapping->end};
	const struct opening opening = {.kind = OPENING_MAPPED, .mapping = mapping, .by = &by};
	struct allocator allocator = {.is_program = is_program};

	allocator.file = opener__open(opener, &opening, NULL);
	if (allocator.file < 0 || read_file(&allocator, readers))
		allocators->nr_unread++;
	else if (is_allocator(&allocator.said)) {
		keep(allocators, &allocator, mapping->path);
		return;
	}
	if (allocator.file >= 0)
		close(allocator.file);
}

int allocators__find(struct allocators *allocators, int32_t pid, struct opener *opener,
		     struct readers *readers, struct error *err)
{
	struct mapped_list list = {0};
	int code = list_files(&list, pid, opener);
	const uint64_t until_ns = monotonic_ns() + MAX_NS;
	size_t i;

	*allocators = (struct allocators){0};
	if (code)
		error__set(err, EXIT_SYSTEM, code,
			   "cannot see what process %d has mapped, among which its malloc is", pid);
	/* The first file is the program, which lies below all that its loader maps. */
	for (i = 0; i < list.nr && !code && monotonic_ns() < until_ns; i++)
		look_at(allocators, &list.mappings[i], i == 0, pid, opener, readers);
	if (!code)
		allocators->nr_unread += list.nr - i;

	for (i = 0; i < list.nr; i++)
		free((char *)(uintptr_t)list.mappings[i].path);
	free(list.mappings);
	return code;
}

int allocators__of_program(struct allocators *allocators, int file, struct readers *readers,
			   struct error *err)
{
	struct allocator allocator = {.file = fcntl(file, F_DUPFD_CLOEXEC, 0), .is_program = true};
	int code = allocator.file < 0 ? -errno : read_file(&allocator, readers);

	*allocators = (struct allocators){0};
	if (code)
		error__set(err, EXIT_SYSTEM, code, "cannot read the program for its malloc");
	else if (is_allocator(&allocator.said))
		keep(allocators, &allocator, "");
	if (!allocators->nr && allocator.file >= 0)
		close(allocator.file);
	return code;
}

void allocators__close(struct allocators *allocators)
{
	for (size_t i = 0; i < allocators->nr; i++) {
		close(allocators->list[i].file);
		free(allocators->list[i].path);
	}
	free(allocators->list);
	*allocators = (struct allocators){0};
}

/* ---- choosing among them ---- */

bool allocators__tell(const struct allocators *allocators)
{
	for (size_t i = 0; i < allocators->nr; i++)
		for (uint32_t site = 0; site < allocators->list[i].said.nr_sites; site++)
			if (allocators->list[i].said.sites[site].probe == ALLOCATOR_TELLS_ALLOC)
				return true;
	return false;
}

/* A program can also call functions of its own that it does not export. */
uint32_t allocator__functions(const struct allocator *allocator)
{
	return allocator->is_program ? allocator->said.defined : allocator->said.exported;
}

/*
 * Ranks allocators: the lowest rank is called; 0: never called, such as the dynamic loader's own
 * malloc.
 */
static unsigned int rank(const struct allocator *allocator)
{
	if ((allocator__functions(allocator) & MALLOC_AND_FREE) != MALLOC_AND_FREE ||
	    allocator->said.is_loader)
		return 0;
	if (allocator->is_program)
		return 1;
	return allocator->said.is_libc ? 3 : 2;
}

/*
 * Among equal ranks the last one wins, as it was loaded first: loaders fill the address space
 * downwards.
 */
const struct allocator *allocators__with_malloc(const struct allocators *allocators, int32_t pid,
						struct error *err)
{
	const struct allocator *best = NULL;

	for (size_t i = 0; i < allocators->nr; i++) {
		const struct allocator *other = &allocators->list[i];

		if (rank(other) && (!best || rank(other) <= rank(best)))
			best = other;
	}
	if (!best)
		error__say(
			err, EXIT_SYSTEM, -ENOENT,
			"no malloc in process %d: it neither has such a function, by its name, nor "
			"probes of otel_memory, as a program that is stripped or not in C",
			pid);
	return best;
}
