// SPDX-License-Identifier: GPL-2.0-only
#include "run/preload/program_kind.h"

#include <elf.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_LIBRARIES	256
#define MAX_SEGMENTS	256
#define MAX_SECTIONS	65535
#define MAX_TABLE_BYTES (64ULL << 20)

#ifdef __x86_64__
#define OUR_MACHINE EM_X86_64
#else
#define OUR_MACHINE EM_AARCH64
#endif

static bool read_at(int fd, void *bytes, size_t nr_bytes, uint64_t offset)
{
	return offset <= INT64_MAX &&
	       pread(fd, bytes, nr_bytes, (off_t)offset) == (ssize_t)nr_bytes;
}

static bool is_elf(const Elf64_Ehdr *header)
{
	return !memcmp(header->e_ident, ELFMAG, SELFMAG);
}

/*
 * Reads the ELF header. False: the file is not native; header bytes that could not be read are
 * zero.
 */
static bool read_header(int fd, Elf64_Ehdr *header)
{
	memset(header, 0, sizeof(*header));
	return read_at(fd, header, sizeof(*header), 0) && is_elf(header) &&
	       header->e_ident[EI_CLASS] == ELFCLASS64 && header->e_ident[EI_DATA] == ELFDATA2LSB &&
	       header->e_machine == OUR_MACHINE;
}

static bool has_interpreter(int fd, const Elf64_Ehdr *header)
{
	for (unsigned int i = 0; i < header->e_phnum && i < MAX_SEGMENTS; i++) {
		Elf64_Phdr segment;

		if (!read_at(fd, &segment, sizeof(segment), header->e_phoff + i * sizeof(segment)))
			break;
		if (segment.p_type == PT_INTERP)
			return true;
	}
	return false;
}

struct program_kind program_kind__at(int fd)
{
	struct program_kind glance = {0};
	Elf64_Ehdr header;

	glance.is_native = read_header(fd, &header);
	glance.is_elf = is_elf(&header);
	glance.is_dynamic = glance.is_native && has_interpreter(fd, &header);
	return glance;
}

static bool read_section(int fd, const Elf64_Ehdr *header, unsigned int index, Elf64_Shdr *section)
{
	return index < header->e_shnum &&
	       read_at(fd, section, sizeof(*section), header->e_shoff + index * sizeof(*section));
}

/* The contents of a section, followed by a zero byte; free() it. NULL: they cannot be read. */
static char *read_contents(int fd, const Elf64_Shdr *section)
{
	struct stat status;
	char *contents;

	if (fstat(fd, &status) || section->sh_size > MAX_TABLE_BYTES ||
	    section->sh_size > (uint64_t)status.st_size ||
	    section->sh_offset > (uint64_t)status.st_size - section->sh_size)
		return NULL;
	contents = calloc(1, section->sh_size + 1);
	if (contents && !read_at(fd, contents, section->sh_size, section->sh_offset)) {
		free(contents);
		contents = NULL;
	}
	return contents;
}

/* The first table of a type in the file, and its string table. */
struct elf_table {
	char *entries, *names; /* NULL: the file has none */
	uint64_t nr_entry_bytes, nr_name_bytes;
};

static void read_table(struct elf_table *table, int fd, Elf64_Word type)
{
	Elf64_Shdr section = {0}, names;
	Elf64_Ehdr header;

	*table = (struct elf_table){0};
	if (!read_header(fd, &header))
		return;
	for (unsigned int i = 0; section.sh_type != type; i++)
		if (!read_section(fd, &header, i, &section))
			return;
	if (!read_section(fd, &header, section.sh_link, &names))
		return;
	table->entries = read_contents(fd, &section);
	table->names = read_contents(fd, &names);
	table->nr_entry_bytes = table->entries ? section.sh_size : 0;
	table->nr_name_bytes = table->names ? names.sh_size : 0;
}

static void free_table(struct elf_table *table)
{
	free(table->entries);
	free(table->names);
}

bool program_kind__exports(int fd, const char *symbol)
{
	struct elf_table table;
	bool found = false;
	Elf64_Sym entry;

	read_table(&table, fd, SHT_DYNSYM);
	for (uint64_t at = 0; table.nr_entry_bytes - at >= sizeof(entry) && !found;
	     at += sizeof(entry)) {
		memcpy(&entry, table.entries + at, sizeof(entry));
		found = entry.st_shndx != SHN_UNDEF && entry.st_name < table.nr_name_bytes &&
			!strcmp(table.names + entry.st_name, symbol);
	}
	free_table(&table);
	return found;
}

void program_kind__visit_libraries(int fd, void (*visit)(void *context, const char *name),
				   void *context)
{
	struct elf_table table;
	Elf64_Dyn entry;
	int nr_visited = 0;

	read_table(&table, fd, SHT_DYNAMIC);
	for (uint64_t at = 0;
	     table.nr_entry_bytes - at >= sizeof(entry) && nr_visited < MAX_LIBRARIES;
	     at += sizeof(entry)) {
		memcpy(&entry, table.entries + at, sizeof(entry));
		if (entry.d_tag != DT_NEEDED || entry.d_un.d_val >= table.nr_name_bytes)
			continue;
		visit(context, table.names + entry.d_un.d_val);
		nr_visited++;
	}
	free_table(&table);
}
