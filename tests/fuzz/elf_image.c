// SPDX-License-Identifier: GPL-2.0-only
#include "elf_image.h"

#include <stdlib.h>
#include <string.h>

#define MAX_NAMES_BYTES 4096
#define MAX_NR_SECTIONS 64

static Elf64_Ehdr header_of(const struct elf_image *image)
{
	Elf64_Ehdr header;

	memcpy(&header, image->bytes, sizeof(header));
	return header;
}

static bool holds(const struct elf_image *image, uint64_t offset, uint64_t nr_bytes)
{
	return offset <= image->nr_bytes && nr_bytes <= image->nr_bytes - offset;
}

bool elf_image__is_whole(const struct elf_image *image)
{
	Elf64_Ehdr header;

	if (image->nr_bytes < sizeof(header))
		return false;
	header = header_of(image);
	return !memcmp(header.e_ident, ELFMAG, SELFMAG) && header.e_ident[EI_CLASS] == ELFCLASS64 &&
	       header.e_ident[EI_DATA] == ELFDATA2LSB && header.e_shnum > 1 &&
	       header.e_shentsize == sizeof(Elf64_Shdr) &&
	       holds(image, header.e_shoff, header.e_shnum * sizeof(Elf64_Shdr));
}

size_t elf_image__nr_sections(const struct elf_image *image)
{
	return header_of(image).e_shnum;
}

static uint8_t *row_of(const struct elf_image *image, size_t index)
{
	return image->bytes + header_of(image).e_shoff + index * sizeof(Elf64_Shdr);
}

Elf64_Shdr elf_image__section(const struct elf_image *image, size_t index)
{
	Elf64_Shdr section;

	memcpy(&section, row_of(image, index), sizeof(section));
	return section;
}

void elf_image__put_section(struct elf_image *image, size_t index, const Elf64_Shdr *section)
{
	memcpy(row_of(image, index), section, sizeof(*section));
}

/* Not where the header is, which stays as it is. */
uint8_t *elf_image__contents(const struct elf_image *image, size_t index, size_t *nr_bytes)
{
	const Elf64_Shdr section = elf_image__section(image, index);

	if (section.sh_type == SHT_NOBITS || !section.sh_size ||
	    section.sh_offset < sizeof(Elf64_Ehdr) ||
	    !holds(image, section.sh_offset, section.sh_size))
		return NULL;
	*nr_bytes = section.sh_size;
	return image->bytes + section.sh_offset;
}

static size_t append(struct elf_image *image, const void *bytes, size_t nr_bytes)
{
	const size_t at = (image->nr_bytes + 7) & ~(size_t)7;

	if (at > image->capacity || nr_bytes > image->capacity - at)
		return 0;
	memset(image->bytes + image->nr_bytes, 0, at - image->nr_bytes);
	memcpy(image->bytes + at, bytes, nr_bytes);
	image->nr_bytes = at + nr_bytes;
	return at;
}

bool elf_image__set_contents(struct elf_image *image, size_t index, const uint8_t *bytes,
			     size_t nr_bytes)
{
	Elf64_Shdr section = elf_image__section(image, index);
	size_t held = 0;
	uint8_t *at = elf_image__contents(image, index, &held);

	if (at && nr_bytes <= held) {
		memmove(at, bytes, nr_bytes);
	} else {
		const size_t offset = append(image, bytes, nr_bytes);

		if (!offset)
			return false;
		section.sh_offset = offset;
	}
	section.sh_size = nr_bytes;
	elf_image__put_section(image, index, &section);
	return true;
}

/* ---- names ---- */

const char *elf_image__name(const struct elf_image *image, size_t index)
{
	const size_t names_index = header_of(image).e_shstrndx;
	const uint32_t at = elf_image__section(image, index).sh_name;
	const uint8_t *names = NULL;
	size_t nr_bytes = 0;

	if (names_index < elf_image__nr_sections(image))
		names = elf_image__contents(image, names_index, &nr_bytes);
	if (!names || at >= nr_bytes || !memchr(names + at, '\0', nr_bytes - at))
		return "";
	return (const char *)names + at;
}

size_t elf_image__find(const struct elf_image *image, const char *name)
{
	for (size_t i = 1; i < elf_image__nr_sections(image); i++)
		if (!strcmp(elf_image__name(image, i), name))
			return i;
	return 0;
}

/* Names are appended to those that there are. */
bool elf_image__rename(struct elf_image *image, size_t index, const char *name)
{
	const size_t names_index = header_of(image).e_shstrndx, length = strlen(name) + 1;
	uint8_t longer[MAX_NAMES_BYTES];
	Elf64_Shdr section;
	uint8_t *names;
	size_t nr_bytes;

	if (names_index >= elf_image__nr_sections(image))
		return false;
	names = elf_image__contents(image, names_index, &nr_bytes);
	if (!names || nr_bytes + length > sizeof(longer))
		return false;
	memcpy(longer, names, nr_bytes);
	memcpy(longer + nr_bytes, name, length);
	if (!elf_image__set_contents(image, names_index, longer, nr_bytes + length))
		return false;
	section = elf_image__section(image, index);
	section.sh_name = (uint32_t)nr_bytes;
	elf_image__put_section(image, index, &section);
	return true;
}

/* The table moves to the end. */
size_t elf_image__add_section(struct elf_image *image, const Elf64_Shdr *section)
{
	Elf64_Shdr table[MAX_NR_SECTIONS];
	Elf64_Ehdr header = header_of(image);
	const size_t index = header.e_shnum;
	size_t at;

	if (index + 1 > MAX_NR_SECTIONS)
		return 0;
	memcpy(table, row_of(image, 0), index * sizeof(*table));
	table[index] = *section;
	at = append(image, table, (index + 1) * sizeof(*table));
	if (!at)
		return 0;
	header.e_shoff = at;
	header.e_shnum = (uint16_t)(index + 1);
	memcpy(image->bytes, &header, sizeof(header));
	return index;
}
