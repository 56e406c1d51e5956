/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads an interpreter's file: addresses of names, bytes at an address, versions. */
#ifndef TOPSTACKS_INTERPRETERS_CONTENTS_H
#define TOPSTACKS_INTERPRETERS_CONTENTS_H

#include "base/common.h"

struct elf_file;
struct named_place;

/*
 * Finds exported symbols with these names; if one of the first nr_needed is missing, also looks in
 * .symtab. False: one of these is not found.
 */
bool contents__locate(struct elf_file *file, struct named_place *places, size_t nr_places,
		      size_t nr_needed);

/* Bytes of the file at an address, valid while it is open. NULL: the file has fewer there. */
const void *contents__at(struct elf_file *file, uint64_t address, size_t nr_bytes);

/*
 * Reads the numbers, separated by dots, behind every occurrence of text in the file's constants and
 * names of libraries: 9 for "python3.", say. False: there is no occurrence, or they differ.
 */
bool contents__numbers(struct elf_file *file, const char *text, unsigned int *numbers,
		       size_t nr_numbers);

#endif
