/* SPDX-License-Identifier: GPL-2.0-only */
/* An ELF file by its path, and the names in it. */
#ifndef TOPSTACKS_TESTS_OBJECT_FILE_H
#define TOPSTACKS_TESTS_OBJECT_FILE_H

#include <fcntl.h>
#include <unistd.h>

#include "elf/symbol_table.h"
#include "expect.h"
#include "own_object.h"

static inline struct object *read_file(const char *path)
{
	struct object *object = NULL;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	EXPECT_EQ(read_object(&(struct debug_places){.fd = fd, .path = "", .root = -1}, &object),
		  0);
	close(fd);
	return object;
}

static inline const char *name_at(const struct object *object, uint64_t address)
{
	struct found_symbol found;

	return symbol_table__find(object->table, address, &found) ? found.name : NULL;
}

#endif
