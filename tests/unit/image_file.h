/* SPDX-License-Identifier: GPL-2.0-only */
/* ELF files that are made in memory. */
#ifndef TOPSTACKS_TESTS_IMAGE_FILE_H
#define TOPSTACKS_TESTS_IMAGE_FILE_H

#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

#include "own_object.h"
#include "unwind/unwind.h"

/* A descriptor of the caller's; -1: there was no room. */
static inline int file_of(const void *image, size_t nr_bytes)
{
	const int fd = memfd_create("image", MFD_CLOEXEC);

	if (fd >= 0 && write(fd, image, nr_bytes) == (ssize_t)nr_bytes)
		return fd;
	close(fd);
	return -1;
}

static inline int build_table_of(const void *image, size_t nr_bytes, struct unwind_table **table)
{
	const int fd = file_of(image, nr_bytes);
	const int code = unwind_table__build(fd, table);

	close(fd);
	return code;
}

static inline int read_object_of(const void *image, size_t nr_bytes, struct object **object)
{
	const struct debug_places query = {.fd = file_of(image, nr_bytes), .path = "", .root = -1};
	const int code = read_object(&query, object);

	close(query.fd);
	return code;
}

#endif
