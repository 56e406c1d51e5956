/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An ELF file in memory whose frame stays valid while its sections are changed. The file is
 * little-endian and has 64 bits.
 */
#ifndef TOPSTACKS_TESTS_FUZZ_ELF_IMAGE_H
#define TOPSTACKS_TESTS_FUZZ_ELF_IMAGE_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct elf_image {
	uint8_t *bytes;
	size_t nr_bytes, capacity;
};

/* True if the image has a table of sections that lies within it. */
bool elf_image__is_whole(const struct elf_image *image);

size_t elf_image__nr_sections(const struct elf_image *image);
Elf64_Shdr elf_image__section(const struct elf_image *image, size_t index);
void elf_image__put_section(struct elf_image *image, size_t index, const Elf64_Shdr *section);

/* Index of the first section of that name; 0: there is none. */
size_t elf_image__find(const struct elf_image *image, const char *name);

/* Returns "" if the section has no name that can be read. Borrowed until the image changes. */
const char *elf_image__name(const struct elf_image *image, size_t index);

/* Returns NULL if the section has no contents within the file. Borrowed until the image changes. */
uint8_t *elf_image__contents(const struct elf_image *image, size_t index, size_t *nr_bytes);

/*
 * Changes the contents in place, or puts them at the end of the file if there are more of them.
 * False: there is no room.
 */
bool elf_image__set_contents(struct elf_image *image, size_t index, const uint8_t *bytes,
			     size_t nr_bytes);

bool elf_image__rename(struct elf_image *image, size_t index, const char *name);

/* Returns the index of the section, or 0: there is no room. */
size_t elf_image__add_section(struct elf_image *image, const Elf64_Shdr *section);

#endif
