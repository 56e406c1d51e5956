// SPDX-License-Identifier: GPL-2.0-only
#include "interpreters/kinds.h"

#include "elf/file.h"
#include "elf/symbols.h"

/* Limits: an interpreter has some thousand names; larger files, such as browsers, are skipped. */
#define MAX_SYMBOLS_BYTES (8U << 20)
#define MAX_TEXT_BYTES	  (16U << 20)

#define MAX_NUMBERS 2
#define MAX_NUMBER  999

/* ---- names ---- */

static bool has_all(const struct named_place *places, size_t nr_places)
{
	for (size_t i = 0; i < nr_places; i++)
		if (!places[i].is_found)
			return false;
	return true;
}

bool contents__locate(struct elf_file *file, struct named_place *places, size_t nr_places,
		      size_t nr_needed)
{
	elf_symbols__locate(file, SHT_DYNSYM, MAX_SYMBOLS_BYTES, places, nr_places);
	if (!has_all(places, nr_needed))
		elf_symbols__locate(file, SHT_SYMTAB, MAX_SYMBOLS_BYTES, places, nr_places);
	return has_all(places, nr_needed);
}

/* ---- bytes ---- */

const void *contents__at(struct elf_file *file, uint64_t address, size_t nr_bytes)
{
	GElf_Phdr segment;

	for (size_t i = 0; elf_file__segment(file, i, &segment); i++) {
		const uint64_t skipped = address - segment.p_vaddr;

		if (segment.p_type == PT_LOAD && skipped <= segment.p_filesz &&
		    nr_bytes <= segment.p_filesz - skipped && segment.p_offset <= INT64_MAX &&
		    skipped <= INT64_MAX - segment.p_offset)
			return elf_file__bytes(file, segment.p_offset + skipped, nr_bytes);
	}
	return NULL;
}

/* ---- numbers ---- */

struct number_search {
	const char *text;
	size_t nr_numbers;
	unsigned int numbers[MAX_NUMBERS];
	bool is_found, is_ambiguous;
};

static bool read_numbers(const char *at, const char *end, unsigned int *numbers, size_t nr_numbers)
{
	for (size_t i = 0; i < nr_numbers; i++) {
		const char *begin;

		if (i && (at == end || *at++ != '.'))
			return false;
		numbers[i] = 0;
		for (begin = at; at < end && *at >= '0' && *at <= '9' && numbers[i] <= MAX_NUMBER;)
			numbers[i] = numbers[i] * 10 + (unsigned int)(*at++ - '0');
		if (at == begin || numbers[i] > MAX_NUMBER)
			return false;
	}
	return true;
}

static void look_through(struct number_search *search, struct elf_file *file, const char *name)
{
	const size_t length = strlen(search->text);
	struct elf_section section;
	const Elf_Data *data;
	const char *at, *end;

	if (!elf_file__find(file, name, &section) ||
	    elf_file__section_bytes(file, &section) > MAX_TEXT_BYTES)
		return;
	data = elf_file__data(file, &section);
	if (!data)
		return;
	end = (const char *)data->d_buf + data->d_size;
	for (at = data->d_buf; (at = memmem(at, (size_t)(end - at), search->text, length));) {
		unsigned int numbers[MAX_NUMBERS] = {0};

		at += length;
		if (!read_numbers(at, end, numbers, search->nr_numbers))
			continue; /* a name without numbers, such as "libpython3.so" */
		search->is_ambiguous |=
			search->is_found && memcmp(numbers, search->numbers, sizeof(numbers)) != 0;
		memcpy(search->numbers, numbers, sizeof(numbers));
		search->is_found = true;
	}
}

bool contents__numbers(struct elf_file *file, const char *text, unsigned int *numbers,
		       size_t nr_numbers)
{
	struct number_search search = {.text = text, .nr_numbers = nr_numbers};

	look_through(&search, file, ".dynstr");
	look_through(&search, file, ".rodata");
	memcpy(numbers, search.numbers, nr_numbers * sizeof(*numbers));
	return search.is_found && !search.is_ambiguous;
}
