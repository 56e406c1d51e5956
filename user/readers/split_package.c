// SPDX-License-Identifier: GPL-2.0-only
/*
 * The index is a hash table from ids of units to rows, with a column for each kind of part:
 *
 *	version, columns, units, slots | id of each slot | row of each slot, from 1 on; 0: free
 *	| kind of each column | offsets of a row's parts in their sections, row by row | their sizes
 *
 * Strings are the only part that units share. Each gets but those that it refers to: with all of
 * them, a hundred units would take a hundred times as much.
 */
#include "readers/split_package.h"

#include <unistd.h>

#define MAX_PROBES	 256 /* a table is at most two thirds full: three suffice on average */
#define MAX_COLUMNS	 16
#define MAX_RATIO	 16 /* size of all units relative to the package, as units share strings */
#define MIN_UNITS_BYTES	 (1U << 20)
#define MAX_UNIT_BYTES	 (64U << 20)
#define INDEX_HEAD_BYTES 16

/* Sections of an image: the unit's own parts, its strings, the names of sections. */
#define SECTION_STRINGS (1 + NR_SPLIT_PARTS)
#define SECTION_NAMES	(SECTION_STRINGS + 1)
#define NR_SECTIONS	(SECTION_NAMES + 1)

struct unit_image {
	Elf64_Ehdr header;
	Elf64_Shdr sections[NR_SECTIONS];
	char names[NR_SECTIONS][24];
};

static const struct {
	uint32_t kind; /* of the index column */
	const char *name;
} parts[NR_SPLIT_PARTS] = {
	[SPLIT_INFO] = {1, ".debug_info.dwo"},
	[SPLIT_ABBREVIATIONS] = {3, ".debug_abbrev.dwo"},
	[SPLIT_LINES] = {4, ".debug_line.dwo"},
	[SPLIT_STRING_OFFSETS] = {6, ".debug_str_offsets.dwo"},
	[SPLIT_RANGES] = {8, ".debug_rnglists.dwo"}, /* GNU's format has macros there, which do
						      * no harm */
};

/* ---- the index ---- */

static uint32_t number_at(const struct split_package *package, uint64_t offset)
{
	uint32_t number;

	memcpy(&number, (const char *)package->index->d_buf + offset, sizeof(number));
	return number;
}

/* The row of a unit, from 1; 0: there is none. */
static uint32_t row_of(const struct split_package *package, uint64_t id)
{
	const uint32_t mask = package->nr_slots - 1, step = ((uint32_t)(id >> 32) & mask) | 1;
	const uint64_t rows = INDEX_HEAD_BYTES + 8 * (uint64_t)package->nr_slots;
	uint32_t slot = (uint32_t)id & mask;

	for (unsigned int i = 0; i < MAX_PROBES; i++, slot = (slot + step) & mask) {
		const uint64_t at = INDEX_HEAD_BYTES + 8 * (uint64_t)slot;
		const uint32_t row = number_at(package, rows + 4 * (uint64_t)slot);

		if (!row)
			break;
		if (number_at(package, at) == (uint32_t)id &&
		    number_at(package, at + 4) == (uint32_t)(id >> 32))
			return row <= package->nr_units ? row : 0;
	}
	return 0;
}

struct part_extent {
	uint64_t offset, bytes; /* within the section */
};

static void find_extents(const struct split_package *package, uint32_t row,
			 struct part_extent extents[NR_SPLIT_PARTS])
{
	const uint64_t nr_columns = package->nr_columns,
		       kinds = INDEX_HEAD_BYTES + 12 * (uint64_t)package->nr_slots,
		       offsets = kinds + 4 * nr_columns * row,
		       sizes = offsets + 4 * nr_columns * package->nr_units;

	for (uint64_t column = 0; column < nr_columns; column++)
		for (size_t i = 0; i < NR_SPLIT_PARTS; i++)
			if (number_at(package, kinds + 4 * column) == parts[i].kind &&
			    package->sections[i].handle)
				extents[i] = (struct part_extent){
					number_at(package, offsets + 4 * column),
					number_at(package, sizes + 4 * column)};
}

/* ---- the package ---- */

static const Elf_Data *data_of(struct split_package *package, const char *name)
{
	struct elf_section section;

	return elf_file__find(&package->file, name, &section)
		       ? elf_file__data(&package->file, &section)
		       : NULL;
}

static bool read_package(struct split_package *package)
{
	struct elf_file *file = &package->file;
	uint64_t cells;

	if (file->header.e_ident[EI_CLASS] != ELFCLASS64 ||
	    file->header.e_ident[EI_DATA] != ELFDATA2LSB)
		return false;
	package->index = data_of(package, ".debug_cu_index");
	package->strings = data_of(package, ".debug_str.dwo");
	if (!package->index || package->index->d_size < INDEX_HEAD_BYTES || !package->strings ||
	    !package->strings->d_size ||
	    ((const char *)package->strings->d_buf)[package->strings->d_size - 1])
		return false;
	package->version = number_at(package, 0);
	package->nr_columns = number_at(package, 4);
	package->nr_units = number_at(package, 8);
	package->nr_slots = number_at(package, 12);
	cells = package->nr_columns * (1 + 2 * (uint64_t)package->nr_units);
	if ((package->version != 2 && package->version != 5) || package->nr_columns > MAX_COLUMNS ||
	    !package->nr_slots || (package->nr_slots & (package->nr_slots - 1)) ||
	    INDEX_HEAD_BYTES + 12 * (uint64_t)package->nr_slots + 4 * cells >
		    package->index->d_size)
		return false;
	for (size_t i = 0; i < NR_SPLIT_PARTS; i++) {
		struct elf_section *section = &package->sections[i];

		if (elf_file__find(file, parts[i].name, section) &&
		    section->header.sh_flags & SHF_COMPRESSED)
			package->unpacked[i] = elf_file__data(file, section);
	}
	return true;
}

int split_package__open(struct split_package *package, int fd)
{
	*package = (struct split_package){.fd = fd};
	if (elf_file__open(&package->file, fd))
		return -ENOENT;
	package->left_bytes = MIN_UNITS_BYTES + MAX_RATIO * package->file.bytes;
	if (read_package(package))
		return 0;
	split_package__close(package);
	return -ENOENT;
}

void split_package__close(struct split_package *package)
{
	elf_file__close(&package->file);
	*package = (struct split_package){0};
}

/* ---- a unit ---- */

/*
 * Copies the strings that the offsets refer to one after the other to `to`, and adjusts the
 * offsets. to NULL: only measures. Returns the size in bytes; 0: the offsets are not valid, or the
 * size exceeds what distinct strings can have.
 */
static uint64_t gather_strings(const struct split_package *package, char *offsets, uint64_t nr,
			       char *to)
{
	const char *strings = package->strings->d_buf;
	uint64_t bytes = 0;

	for (uint64_t i = 0; i < nr && bytes <= 2 * package->strings->d_size; i++) {
		uint32_t offset;
		size_t length;

		memcpy(&offset, offsets + i * sizeof(offset), sizeof(offset));
		if (offset >= package->strings->d_size)
			return 0;
		length = strlen(strings + offset) + 1;
		if (to) {
			const uint32_t moved = (uint32_t)bytes;

			memcpy(to + bytes, strings + offset, length);
			memcpy(offsets + i * sizeof(moved), &moved, sizeof(moved));
		}
		bytes += length;
	}
	return bytes <= 2 * package->strings->d_size ? bytes : 0;
}

static void write_head(const struct split_package *package, const struct part_extent *extents,
		       uint64_t nr_string_bytes, struct unit_image *head)
{
	uint64_t offset = sizeof(*head);

	*head = (struct unit_image){0};
	memcpy(head->header.e_ident, package->file.header.e_ident, EI_NIDENT);
	head->header.e_type = ET_REL;
	head->header.e_machine = package->file.header.e_machine;
	head->header.e_version = EV_CURRENT;
	head->header.e_ehsize = sizeof(head->header);
	head->header.e_shoff = offsetof(struct unit_image, sections);
	head->header.e_shentsize = sizeof(head->sections[0]);
	head->header.e_shnum = NR_SECTIONS;
	head->header.e_shstrndx = SECTION_NAMES;
	for (size_t i = 1; i < NR_SECTIONS; i++) {
		Elf64_Shdr *section = &head->sections[i];

		*section = (Elf64_Shdr){.sh_name = (Elf64_Word)(i * sizeof(head->names[0])),
					.sh_type = SHT_PROGBITS,
					.sh_flags = SHF_EXCLUDE,
					.sh_offset = offset,
					.sh_addralign = 1};
		if (i == SECTION_NAMES) {
			section->sh_type = SHT_STRTAB;
			section->sh_offset = offsetof(struct unit_image, names);
			section->sh_size = sizeof(head->names);
			strcpy(head->names[i], ".shstrtab");
			continue;
		}
		section->sh_size = i == SECTION_STRINGS ? nr_string_bytes : extents[i - 1].bytes;
		strcpy(head->names[i], i == SECTION_STRINGS ? ".debug_str.dwo" : parts[i - 1].name);
		offset += section->sh_size;
	}
}

/*
 * Builds an image of the parts, with room for its header, without strings. NULL: the index is not
 * valid.
 */
static char *copy_parts(const struct split_package *package, const struct part_extent *extents,
			uint64_t nr_bytes)
{
	char *image = malloc(nr_bytes), *at;
	bool is_valid = true;

	if (!image)
		return NULL;
	at = image + sizeof(struct unit_image);
	for (size_t i = 0; i < NR_SPLIT_PARTS && is_valid; at += extents[i++].bytes) {
		const struct part_extent *extent = &extents[i];
		const GElf_Shdr *header = &package->sections[i].header;
		const Elf_Data *data = package->unpacked[i];
		const uint64_t bytes = data ? data->d_size : header->sh_size;
		const off_t offset = (off_t)(header->sh_offset + extent->offset);

		if (extent->offset > bytes || extent->bytes > bytes - extent->offset)
			is_valid = false;
		else if (data)
			memcpy(at, (const char *)data->d_buf + extent->offset, extent->bytes);
		else
			is_valid = !(header->sh_flags & SHF_COMPRESSED) &&
				   pread(package->fd, at, extent->bytes, offset) ==
					   (ssize_t)extent->bytes;
	}
	if (is_valid)
		return image;
	free(image);
	return NULL;
}

static bool has_room(const struct split_package *package, uint64_t nr_bytes)
{
	return nr_bytes <= MAX_UNIT_BYTES && nr_bytes <= package->left_bytes;
}

void *split_package__unit(struct split_package *package, uint64_t id, size_t *nr_bytes)
{
	const uint32_t row = package->index ? row_of(package, id) : 0;
	const uint64_t skipped = package->version < 5 ? 0 : 8; /* the header of its string
							        * offsets */
	uint64_t bytes = sizeof(struct unit_image), nr_offsets = 0, nr_string_bytes, offsets = 0;
	struct part_extent extents[NR_SPLIT_PARTS] = {0};
	char *image, *larger;

	if (!row)
		return NULL;
	find_extents(package, row, extents);
	for (size_t i = 0; i < NR_SPLIT_PARTS; bytes += extents[i++].bytes)
		if (i == SPLIT_STRING_OFFSETS && extents[i].bytes > skipped) {
			offsets = bytes + skipped;
			nr_offsets = (extents[i].bytes - skipped) / sizeof(uint32_t);
		}
	image = has_room(package, bytes) ? copy_parts(package, extents, bytes) : NULL;
	if (!image)
		return NULL;
	nr_string_bytes = gather_strings(package, image + offsets, nr_offsets, NULL);
	larger = (nr_string_bytes || !nr_offsets) && has_room(package, bytes + nr_string_bytes)
			 ? realloc(image, bytes + nr_string_bytes)
			 : NULL;
	if (!larger) {
		free(image);
		return NULL;
	}
	gather_strings(package, larger + offsets, nr_offsets, larger + bytes);
	write_head(package, extents, nr_string_bytes, (struct unit_image *)larger);
	*nr_bytes = bytes + nr_string_bytes;
	package->left_bytes -= *nr_bytes;
	return larger;
}
