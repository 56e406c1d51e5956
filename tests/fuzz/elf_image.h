/* SPDX-License-Identifier: GPL-2.0-only */
/* An ELF file in memory whose frame stays valid while its sections are changed. Little-endian, 64 bits. */
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

/* Whether it has a table of sections that lies within it. */
bool elf_image__is_whole(const struct elf_image *image);

size_t elf_image__nr_sections(const struct elf_image *image);
Elf64_Shdr elf_image__section(const struct elf_image *image, size_t index);
void elf_image__put_section(struct elf_image *image, size_t index, const Elf64_Shdr *section);

/* Index of the first section of that name; 0: there is none. */
size_t elf_image__find(const struct elf_image *image, const char *name);

/* "" if it has none that can be read. Borrowed until the image changes. */
const char *elf_image__name(const struct elf_image *image, size_t index);

/* NULL: it has no contents within the file. Borrowed until the image changes. */
uint8_t *elf_image__contents(const struct elf_image *image, size_t index, size_t *nr_bytes);

/* In place, or at the end of the file if there are more of them. False: there is no room. */
bool elf_image__set_contents(struct elf_image *image, size_t index, const uint8_t *bytes,
			     size_t nr_bytes);

bool elf_image__rename(struct elf_image *image, size_t index, const char *name);

/* Its index, or 0: there is no room. */
size_t elf_image__add_section(struct elf_image *image, const Elf64_Shdr *section);

#endif
