// SPDX-License-Identifier: GPL-2.0-only
/*
 * .symtab and .dynsym, of a program, of its debug file, or of its mini-debuginfo: symbols refer to
 * the sections of the file that they are in. A symbol counts if it may be code and lies in a
 * section with code, and covers no more than that.
 */
#include "elf/symbols.h"

#include "elf/file.h"
#include "elf/symbol_builder.h"

/* A section with code, which limits symbols without a size. */
struct extent {
	uint64_t start, end; /* equal: no code */
};

struct symbol_reader {
	struct elf_file *file;
	const struct named_range *named;
	struct symbol_builder *builder; /* NULL: count only */
	struct extent *extents;		/* by section */
	Elf_Data *symbols;
	const Elf_Data *strings;
	struct symbol_counts counts;
	void (*see)(void *context,
		    const struct code_symbol *symbol); /* NULL: not called for symbols */
	void *context;
	struct symbol_builder measured; /* measures seen names; gets no symbols */
};

static bool is_code(const struct symbol_reader *reader, const GElf_Sym *symbol)
{
	const unsigned int type = GELF_ST_TYPE(symbol->st_info);
	const struct extent *extent;

	if (type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_NOTYPE)
		return false;
	if (symbol->st_shndx == SHN_UNDEF || symbol->st_shndx >= reader->file->nr_sections)
		return false;
	if (symbol->st_value >= reader->named->start && symbol->st_value < reader->named->end)
		return false;
	extent = &reader->extents[symbol->st_shndx];
	return symbol->st_value >= extent->start && symbol->st_value < extent->end;
}

static enum binding binding_of(const GElf_Sym *symbol)
{
	switch (GELF_ST_BIND(symbol->st_info)) {
	case STB_GLOBAL:
	case STB_GNU_UNIQUE:
		return BINDING_GLOBAL;
	case STB_WEAK:
		return BINDING_WEAK;
	default:
		return BINDING_LOCAL;
	}
}

/* Length of the name without its version: "memcpy" for "memcpy@@GLIBC_2.14". */
static size_t bare_length(const char *name, size_t length)
{
	const char *version = length > 1 ? memchr(name + 1, '@', length - 1) : NULL;

	return version ? (size_t)(version - name) : length;
}

static int add_symbol(struct symbol_reader *reader, const GElf_Sym *symbol)
{
	const uint64_t reach = reader->extents[symbol->st_shndx].end - symbol->st_value;
	const bool sized = symbol->st_size > 0;
	const char *name;
	size_t length;
	int code;

	if (symbol->st_name >= reader->strings->d_size)
		return 0;
	name = (const char *)reader->strings->d_buf + symbol->st_name;
	code = symbol_builder__measure(reader->builder, name,
				       reader->strings->d_size - symbol->st_name, &length);
	/* "$x", "$d.1" mark code and data on arm; they are no functions */
	if (code || length == 0 || name[0] == '$')
		return code;
	return symbol_builder__add(
		reader->builder,
		&(struct symbol){
			.start = symbol->st_value,
			.size = sized && symbol->st_size < reach ? symbol->st_size : reach,
			.sized = sized,
			.binding = binding_of(symbol),
			.name = name,
			.name_length = bare_length(name, length),
		});
}

/* Opens the symbols and their strings. False: there is no such section, or it is not valid. */
static bool open_tables(struct symbol_reader *reader, uint32_t type)
{
	const size_t entry_bytes = gelf_fsize(reader->file->elf, ELF_T_SYM, 1, EV_CURRENT);
	struct elf_section symbols, strings;

	if (!elf_file__find_type(reader->file, type, &symbols) || entry_bytes == 0 ||
	    symbols.header.sh_entsize != entry_bytes ||
	    !elf_file__section(reader->file, symbols.header.sh_link, &strings) ||
	    strings.header.sh_type != SHT_STRTAB)
		return false;
	reader->symbols = elf_file__data(reader->file, &symbols);
	reader->strings = elf_file__data(reader->file, &strings);
	return reader->symbols && reader->strings &&
	       reader->symbols->d_size / entry_bytes <= INT32_MAX;
}

/* ---- passing symbols on ---- */

static int show_symbol(struct symbol_reader *reader, const GElf_Sym *symbol)
{
	const uint64_t reach = reader->extents[symbol->st_shndx].end - symbol->st_value;
	struct code_symbol seen = {
		.start = symbol->st_value,
		.size = symbol->st_size && symbol->st_size < reach ? symbol->st_size : reach,
		.is_chooser = GELF_ST_TYPE(symbol->st_info) == STT_GNU_IFUNC,
	};
	size_t length;
	int code;

	if (symbol->st_name >= reader->strings->d_size)
		return 0;
	seen.name = (const char *)reader->strings->d_buf + symbol->st_name;
	code = symbol_builder__measure(&reader->measured, seen.name,
				       reader->strings->d_size - symbol->st_name, &length);
	if (code || !length)
		return code;
	seen.length = bare_length(seen.name, length);
	reader->see(reader->context, &seen);
	return 0;
}

/* ---- functions and data ---- */

static void match_places(const struct symbol_reader *reader, const GElf_Sym *symbol,
			 struct named_place *places, size_t nr_places)
{
	const char *name = (const char *)reader->strings->d_buf + symbol->st_name;
	const size_t left = reader->strings->d_size - symbol->st_name;

	for (size_t i = 0; i < nr_places; i++) {
		struct named_place *place = &places[i];
		const size_t length = strlen(place->name);

		if (place->is_found || left <= length || memcmp(name, place->name, length) != 0 ||
		    (name[length] && name[length] != '@'))
			continue;
		place->address = symbol->st_value;
		place->size = symbol->st_size;
		place->is_found = true;
	}
}

void elf_symbols__locate(struct elf_file *file, uint32_t type, uint64_t max_bytes,
			 struct named_place *places, size_t nr_places)
{
	struct symbol_reader reader = {.file = file};
	struct elf_section symbols, strings;
	GElf_Sym symbol;
	size_t nr;

	if (elf_file__find_type(file, type, &symbols) &&
	    elf_file__section(file, symbols.header.sh_link, &strings) &&
	    (elf_file__section_bytes(file, &symbols) > max_bytes ||
	     elf_file__section_bytes(file, &strings) >
		     max_bytes - elf_file__section_bytes(file, &symbols)))
		return;

	/*
	 * Most files have none of these names: a search through all strings is faster than a
	 * comparison of each name.
	 */
	if (!open_tables(&reader, type) || !memmem(reader.strings->d_buf, reader.strings->d_size,
						   places[0].name, strlen(places[0].name)))
		return;
	nr = reader.symbols->d_size / gelf_fsize(file->elf, ELF_T_SYM, 1, EV_CURRENT);
	for (size_t i = 1; i < nr; i++)
		if (gelf_getsym(reader.symbols, (int)i, &symbol) && symbol.st_shndx != SHN_UNDEF &&
		    symbol.st_name < reader.strings->d_size &&
		    GELF_ST_TYPE(symbol.st_info) != STT_TLS)
			match_places(&reader, &symbol, places, nr_places);
}

/* ---- all of them ---- */

static int read_symbols(struct symbol_reader *reader, uint32_t type)
{
	const GElf_Xword executable = SHF_ALLOC | SHF_EXECINSTR;
	struct elf_section section;
	GElf_Sym symbol;
	size_t nr;
	int code = 0;

	if (!open_tables(reader, type))
		return 0;
	reader->extents = calloc(reader->file->nr_sections + 1, sizeof(*reader->extents));
	if (!reader->extents)
		return -ENOMEM;
	for (size_t i = 1; i < reader->file->nr_sections; i++) {
		const GElf_Shdr *header = &section.header;

		if (elf_file__section(reader->file, i, &section) &&
		    (header->sh_flags & executable) == executable &&
		    header->sh_addr + header->sh_size > header->sh_addr)
			reader->extents[i] =
				(struct extent){header->sh_addr, header->sh_addr + header->sh_size};
	}
	symbol_builder__expect(reader->builder ? reader->builder : &reader->measured,
			       reader->symbols->d_size + reader->strings->d_size);
	nr = reader->symbols->d_size / gelf_fsize(reader->file->elf, ELF_T_SYM, 1, EV_CURRENT);
	for (size_t i = 1; i < nr && !code; i++) {
		if (!gelf_getsym(reader->symbols, (int)i, &symbol) || !is_code(reader, &symbol))
			continue;
		if (reader->see) {
			code = show_symbol(reader, &symbol);
			continue;
		}
		reader->counts.functions++;
		reader->counts.exported += GELF_ST_BIND(symbol.st_info) != STB_LOCAL;
		code = reader->builder ? add_symbol(reader, &symbol) : 0;
	}
	free(reader->extents);
	return code;
}

int elf_symbols__add(struct elf_file *file, uint32_t type, const struct named_range *named,
		     struct symbol_builder *builder, struct symbol_counts *counts)
{
	struct symbol_reader reader = {.file = file, .named = named, .builder = builder};
	const int code = read_symbols(&reader, type);

	if (counts)
		*counts = reader.counts;
	return code;
}

int elf_symbols__each(struct elf_file *file, uint32_t type,
		      void (*see)(void *context, const struct code_symbol *symbol), void *context)
{
	const struct named_range none = {0};
	struct symbol_reader reader = {
		.file = file, .named = &none, .see = see, .context = context};

	return read_symbols(&reader, type);
}
