// SPDX-License-Identifier: GPL-2.0-only
/*
 * Four headers are known (debug/gosym/pclntab.go and runtime/runtime2.go of the Go sources), and of
 * the last two only the number differs:
 *
 *	f1 ff ff ff 00 00 01 08		magic, 0 0, least code unit, bytes of a word; then words:
 *	functions, files, text start,	(the last only with fffffff0 and fffffff1)
 *	offsets of names, CUs, files, pcs, funcs
 *
 *	funcs   [pc, offset] [pc, offset] … [end]	offset of a record:
 *	record  pc, then 4 bytes each: name, arguments, deferreturn, depths of the stack
 *
 * A table is taken whole or not at all: its pcs grow, and lie in one section with code.
 */
#include "elf/pclntab.h"

#include <endian.h>

#include "elf/file.h"
#include "elf/symbol_builder.h"
#include "elf/symbols.h"

#define MAGIC_1_2  0xfffffffb
#define MAGIC_1_16 0xfffffffa
#define MAGIC_1_18 0xfffffff0
#define MAGIC_1_20 0xfffffff1

#define HEADER_BYTES 8
#define MAX_HEADERS  16 /* candidates in a section of any data */
#define TEXT_START   2	/* index of a word in the header */
#define NAME	     0	/* index of a 4-byte field in a record, behind the pc */
#define DEPTHS	     3

/* ---- bytes ---- */

static uint64_t read_number(const struct pclntab *table, uint64_t offset, unsigned int bytes)
{
	uint64_t number = 0;

	if (offset > table->size || bytes > table->size - offset)
		return 0;
	memcpy(&number, table->bytes + offset, bytes);
	return le64toh(number);
}

static uint64_t read_word(const struct pclntab *table, unsigned int index)
{
	return read_number(table, HEADER_BYTES + index * table->word, table->word);
}

static uint64_t read_pc(const struct pclntab *table, uint64_t index)
{
	return table->text_start +
	       read_number(table, table->functions + 2 * index * table->field, table->field);
}

/* ---- the header ---- */

static bool is_header(const unsigned char *bytes)
{
	static const uint32_t magics[] = {MAGIC_1_2, MAGIC_1_16, MAGIC_1_18, MAGIC_1_20};
	uint32_t magic;
	size_t i;

	memcpy(&magic, bytes, sizeof(magic));
	for (i = 0; i < sizeof(magics) / sizeof(magics[0]); i++)
		if (le32toh(magic) == magics[i])
			return bytes[4] == 0 && bytes[5] == 0 &&
			       (bytes[6] == 1 || bytes[6] == 2 || bytes[6] == 4) &&
			       (bytes[7] == 4 || bytes[7] == 8);
	return false;
}

struct relocated_word {
	uint64_t address, value;
};

static bool find_relocated(void *context, const GElf_Rela *relocation)
{
	struct relocated_word *word = context;

	if (relocation->r_offset != word->address)
		return true;
	word->value = (uint64_t)relocation->r_addend;
	return false;
}

static void read_header(struct pclntab *table, struct elf_file *file)
{
	const bool has_text_start = table->magic == MAGIC_1_18 || table->magic == MAGIC_1_20;
	const unsigned int offsets = has_text_start ? 3 : 2; /* index of the first word with an
							      * offset */
	struct relocated_word text_start;

	table->nr_functions = read_word(table, 0);
	table->field = has_text_start ? 4 : table->word;
	if (table->magic == MAGIC_1_2) {
		table->functions = HEADER_BYTES + table->word;
		return;
	}
	if (has_text_start) {
		/* A position-independent program has a zero in the file, and a relocation. */
		text_start.address = table->address + HEADER_BYTES + TEXT_START * table->word;
		text_start.value = read_word(table, TEXT_START);
		if (!text_start.value)
			elf_file__each_relocation(file, find_relocated, &text_start);
		table->text_start = text_start.value;
	}
	table->names = read_word(table, offsets);
	table->depths = read_word(table, offsets + 3);
	table->functions = table->records = read_word(table, offsets + 4);
}

/* ---- the table ---- */

static bool is_in_code(struct elf_file *file, uint64_t start, uint64_t end)
{
	const GElf_Xword code = SHF_ALLOC | SHF_EXECINSTR;
	struct elf_section section;
	size_t i;

	for (i = 1; i < file->nr_sections; i++)
		if (elf_file__section(file, i, &section) &&
		    (section.header.sh_flags & code) == code && start >= section.header.sh_addr &&
		    start - section.header.sh_addr < section.header.sh_size &&
		    end - section.header.sh_addr <= section.header.sh_size)
			return true;
	return false;
}

static bool open_table(struct pclntab *table, struct elf_file *file,
		       const struct elf_section *section, const Elf_Data *data, size_t offset)
{
	*table = (struct pclntab){
		.bytes = (const unsigned char *)data->d_buf + offset,
		.size = data->d_size - offset,
		.address = section->header.sh_addr + offset,
	};
	table->magic = (uint32_t)read_number(table, 0, 4);
	table->unit = table->bytes[HEADER_BYTES - 2];
	table->word = table->bytes[HEADER_BYTES - 1];
	read_header(table, file);
	if (table->functions >= table->size || table->names >= table->size ||
	    table->nr_functions == 0 ||
	    table->nr_functions > (table->size - table->functions) / (2 * table->field))
		return false;
	for (uint64_t i = 0; i < table->nr_functions; i++)
		if (read_pc(table, i) >= read_pc(table, i + 1))
			return false;
	return is_in_code(file, read_pc(table, 0), read_pc(table, table->nr_functions));
}

/*
 * Searches the header in steps of a word; is_own: the section holds only the table, so it must be
 * at the start.
 */
static bool find_in_section(struct pclntab *table, struct elf_file *file, const char *name,
			    bool is_own)
{
	struct elf_section section;
	const Elf_Data *data;
	size_t offset, nr_headers = 0;

	if (!elf_file__find(file, name, &section))
		return false;
	data = elf_file__data(file, &section);
	if (!data || data->d_size < HEADER_BYTES)
		return false;
	for (offset = 0; offset <= data->d_size - HEADER_BYTES; offset += 8) {
		if (is_header((const unsigned char *)data->d_buf + offset)) {
			if (open_table(table, file, &section, data, offset))
				return true;
			nr_headers++;
		}
		if (is_own || nr_headers == MAX_HEADERS)
			break;
	}
	return false;
}

bool pclntab__find(struct pclntab *table, struct elf_file *file)
{
	struct elf_section section;

	if (file->header.e_ident[EI_DATA] != ELFDATA2LSB)
		return false;
	return find_in_section(table, file, ".gopclntab", true) ||
	       find_in_section(table, file, ".data.rel.ro.gopclntab", true) ||
	       /* C's linker puts it there in position-independent programs */
	       (elf_file__find(file, ".go.buildinfo", &section) &&
		find_in_section(table, file, ".data.rel.ro", false));
}

static uint64_t read_offset(const struct pclntab *table, uint64_t record, unsigned int field)
{
	return read_number(table, record + table->field + field * 4, 4);
}

bool pclntab__function(const struct pclntab *table, uint64_t index, struct go_function *function)
{
	const uint64_t record =
		table->records +
		read_number(table, table->functions + (2 * index + 1) * table->field, table->field);
	const uint64_t name = table->names + read_offset(table, record, NAME);
	const uint64_t depths = read_offset(table, record, DEPTHS);

	*function = (struct go_function){.start = read_pc(table, index),
					 .end = read_pc(table, index + 1)};
	if (table->text_start + read_number(table, record, table->field) != function->start ||
	    name >= table->size)
		return false;
	function->name = (const char *)table->bytes + name;
	function->max_name_bytes = table->size - name;
	if (depths && table->depths <= table->size && depths < table->size - table->depths) {
		function->depths = table->bytes + table->depths + depths;
		function->max_depths_bytes = table->size - table->depths - depths;
	}
	return true;
}

static int add_function(const struct go_function *function, struct symbol_builder *builder)
{
	struct symbol symbol = {.start = function->start,
				.size = function->end - function->start,
				.sized = true,
				.name = function->name};
	const int code = symbol_builder__measure(builder, symbol.name, function->max_name_bytes,
						 &symbol.name_length);

	if (code || symbol.name_length == 0)
		return code;
	return symbol_builder__add(builder, &symbol);
}

int gopclntab__add(struct elf_file *file, struct symbol_builder *builder, struct named_range *named)
{
	struct go_function function;
	struct pclntab table;
	int code = 0;

	*named = (struct named_range){0};
	if (!pclntab__find(&table, file))
		return 0;
	named->start = read_pc(&table, 0);
	named->end = read_pc(&table, table.nr_functions);
	symbol_builder__expect(builder, table.size);
	for (uint64_t i = 0; i < table.nr_functions && !code; i++)
		if (pclntab__function(&table, i, &function))
			code = add_function(&function, builder);
	return code;
}
