/* SPDX-License-Identifier: GPL-2.0-only */
/* An ELF file as a reader reads it, but in the test's own process. */
#ifndef TOPSTACKS_TESTS_OWN_OBJECT_H
#define TOPSTACKS_TESTS_OWN_OBJECT_H

#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "elf/object.h"
#include "offers.h"

/* Our own answers can always be read. */
static inline int open_answer(int answer, struct object **object)
{
	struct stat status;
	void *bytes;

	if (fstat(answer, &status))
		abort();
	bytes = malloc((size_t)status.st_size);
	if (!bytes || pread(answer, bytes, (size_t)status.st_size, 0) != status.st_size ||
	    object__open(bytes, (size_t)status.st_size, object))
		abort();
	return 0;
}

/* As object__read, then object__open. */
static inline int read_object(const struct debug_places *places, struct object **object)
{
	struct debug_places own = *places;
	const struct debug_candidates offers = offers_of(&own);
	const int answer = memfd_create("answer", MFD_CLOEXEC);
	const struct object_request request = {.max_bytes = UINT64_MAX};
	int code = object__read(places->fd, &offers, answer, &request);

	if (!code)
		code = open_answer(answer, object);
	close(answer);
	return code;
}

static inline void free_object(struct object *object)
{
	void *bytes = object ? (void *)(uintptr_t)object->header : NULL;

	object__free(object);
	free(bytes);
}

#endif
