// SPDX-License-Identifier: GPL-2.0-only
#include "readers/code_map.h"

#include "elf/symbol_builder.h"
#include "elf/symbol_table.h"
#include "elf/symbols.h"

/* ---- where there is code ---- */

static int order(const void *left, const void *right)
{
	const struct code_extent *a = left, *b = right;

	return (a->low > b->low) - (a->low < b->low);
}

int code_map__open(struct code_map *map, int fd)
{
	const GElf_Xword code = SHF_ALLOC | SHF_EXECINSTR;
	struct elf_section section;
	size_t nr = 0;
	int err;

	*map = (struct code_map){0};
	err = elf_file__open(&map->file, fd);
	if (err)
		return err;
	map->ranges = calloc(map->file.nr_sections + 1, sizeof(*map->ranges));
	if (!map->ranges) {
		code_map__close(map);
		return -ENOMEM;
	}
	for (size_t i = 1; i < map->file.nr_sections; i++) {
		const GElf_Shdr *header = &section.header;

		if (elf_file__section(&map->file, i, &section) &&
		    (header->sh_flags & code) == code && header->sh_addr &&
		    header->sh_addr + header->sh_size > header->sh_addr)
			map->ranges[map->nr_ranges++] = (struct code_extent){
				header->sh_addr, header->sh_addr + header->sh_size};
	}

	/* Joins sections that touch or overlap. */
	qsort(map->ranges, map->nr_ranges, sizeof(*map->ranges), order);
	for (size_t i = 0; i < map->nr_ranges; i++) {
		const struct code_extent next = map->ranges[i];

		if (!nr || next.low > map->ranges[nr - 1].high)
			map->ranges[nr++] = next;
		else if (next.high > map->ranges[nr - 1].high)
			map->ranges[nr - 1].high = next.high;
	}
	map->nr_ranges = nr;
	return 0;
}

void code_map__close(struct code_map *map)
{
	symbol_table__free(map->symbols);
	free(map->ranges);
	elf_file__close(&map->file);
	*map = (struct code_map){0};
}

uint64_t code_map__debug_bytes(const struct code_map *map)
{
	struct elf_section section;
	uint64_t bytes = 0;

	for (size_t i = 1; i < map->file.nr_sections; i++)
		if (elf_file__section(&map->file, i, &section) &&
		    section.header.sh_type != SHT_NOBITS &&
		    (elf_file__has_prefix(&map->file, &section, ".debug_") ||
		     elf_file__has_prefix(&map->file, &section, ".zdebug_")))
			bytes += elf_file__section_bytes(&map->file, &section);
	return bytes;
}

bool code_map__has(const struct code_map *map, uint64_t address)
{
	size_t at;

	/*
	 * Without sections of code only those addresses are known that linkers write in place of
	 * dropped code, in 64 or 32 bits.
	 */
	if (!map->nr_ranges)
		return address > 1 && address < UINT64_MAX - 1 && address != UINT32_MAX &&
		       address != UINT32_MAX - 1;
	if (address == UINT64_MAX) /* beyond the end of any range */
		return false;
	at = array__lower_bound(map->ranges, map->nr_ranges, high, address + 1);
	return at < map->nr_ranges && map->ranges[at].low <= address;
}

/* ---- which function ---- */

bool code_map__agrees(struct code_map *map, uint64_t address, const char *function)
{
	const size_t length = strlen(function);
	struct found_symbol found;

	/* Reads symbols as elf/object_read.c does, so that both choose the same of equal functions. */
	if (!map->has_looked) {
		const struct named_range none = {0};
		struct symbol_builder builder = {0};
		int code = elf_symbols__add(&map->file, SHT_SYMTAB, &none, &builder, NULL);

		if (!code)
			code = elf_symbols__add(&map->file, SHT_DYNSYM, &none, &builder, NULL);
		if (!code)
			map->symbols = symbol_builder__finish(&builder);
		symbol_builder__fini(&builder);
		map->has_looked = true;
	}
	if (!map->symbols || !length || !symbol_table__find(map->symbols, address, &found) ||
	    strncmp(found.name, function, length) != 0)
		return false;
	return found.name[length] == '\0' || found.name[length] == '.';
}
