/* SPDX-License-Identifier: GPL-2.0-only */
/* What an interpreter's file says before it runs: where its names are, bytes at an address, versions. */
#ifndef TOPSTACKS_INTERPRETERS_CONTENTS_H
#define TOPSTACKS_INTERPRETERS_CONTENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct elf_file;
struct named_place;

/*
 * Finds what the file exports by these names; where one of the first nr_needed is not among it, what it names for
 * debuggers, too. False: one of these is missing all the same.
 */
bool contents__locate(struct elf_file *file, struct named_place *places, size_t nr_places,
		      size_t nr_needed);

/* Bytes as the file has them, as long as it is open. NULL: it has none there, or not so many. */
const void *contents__at(struct elf_file *file, uint64_t address, size_t nr_bytes);

/*
 * The numbers, with a dot between two, that follow a text wherever the file's constants and the names that it
 * links to have it: "python3." and 9, say. False: there is none, or they are not the same everywhere.
 */
bool contents__numbers(struct elf_file *file, const char *text, unsigned int *numbers,
		       size_t nr_numbers);

#endif
