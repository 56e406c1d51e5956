// SPDX-License-Identifier: GPL-2.0-only
/*
 * Checks input before libelf sees it: libelf allocates and reads as much as a header claims, and a
 * sparse file of terabytes can claim a lot. Invariant: a broken file costs at most as much as a
 * valid one of its size, and never more than the limits below.
 */
#include "elf/file.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/shortage.h"

#define MAX_SECTIONS	  SHN_LORESERVE
#define MAX_SEGMENTS	  4096 /* linkers make a dozen */
#define MAX_SECTION_BYTES (512U << 20)
#define MAX_BYTES	  (768U << 20) /* of all sections read */
#define MAX_NAMES_BYTES	  (4U << 20)   /* of sections' names */
#define MIN_DECOMPRESSED  (1U << 20)   /* allowed for any section */
#define MAX_RATIO	  128	       /* of compressed sections; debug information has 2 to 10 */
#define MAX_NOTES_BYTES	  65536
#define MAX_NOTE_HEADERS  1024

static bool holds(const struct elf_file *file, uint64_t offset, uint64_t bytes)
{
	return offset <= file->bytes && bytes <= file->bytes - offset;
}

/* ---- opening ---- */

/*
 * Whether a file claims too many sections: with 0 sections in the header, the first section has the
 * number. No program has so many, but libelf would allocate room for all.
 */
static bool is_overcrowded(int fd)
{
	union {
		Elf32_Ehdr bits32;
		Elf64_Ehdr bits64;
		unsigned char ident[EI_NIDENT];
	} header;

	if (pread(fd, &header, sizeof(header), 0) != (ssize_t)sizeof(header))
		return false; /* too short for a section */
	if (header.ident[EI_CLASS] == ELFCLASS32)
		return header.bits32.e_shnum == 0 && header.bits32.e_shoff != 0;
	return header.bits64.e_shnum == 0 && header.bits64.e_shoff != 0;
}

static int open_handle(struct elf_file *file, Elf *elf, uint64_t bytes)
{
	struct elf_section names;
	size_t nr;

	file->elf = elf;
	file->bytes = bytes;
	file->left_bytes = MAX_BYTES;
	if (elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &file->header)) {
		elf_file__close(file);
		return elf ? -ENOEXEC : -EBADF; /* libelf opens files that are no ELF files, too */
	}
	if (!elf_getshdrnum(elf, &nr) && nr <= MAX_SECTIONS)
		file->nr_sections = nr;
	if (!elf_getphdrnum(elf, &nr))
		file->nr_segments = nr < MAX_SEGMENTS ? nr : MAX_SEGMENTS;
	if (!elf_getshdrstrndx(elf, &nr) && elf_file__section(file, nr, &names) &&
	    names.header.sh_type == SHT_STRTAB && names.header.sh_size <= MAX_NAMES_BYTES)
		file->names = elf_file__data(file, &names);
	return 0;
}

int elf_file__open(struct elf_file *file, int fd)
{
	struct stat status;

	*file = (struct elf_file){0};
	if (fstat(fd, &status))
		return shortage__of_call(-errno);
	if (S_ISDIR(status.st_mode) || is_overcrowded(fd))
		return -ENOEXEC;
	elf_version(EV_CURRENT);
	return open_handle(file, elf_begin(fd, ELF_C_READ, NULL), (uint64_t)status.st_size);
}

int elf_file__open_memory(struct elf_file *file, void *image, size_t bytes)
{
	*file = (struct elf_file){.image = image};
	elf_version(EV_CURRENT);
	return open_handle(file, elf_memory(image, bytes), bytes);
}

void elf_file__close(struct elf_file *file)
{
	elf_end(file->elf);
	free(file->image);
	*file = (struct elf_file){0};
}

/* ---- sections ---- */

/* Notes lack of memory: libelf gives no reason for a failure, but errno does. */
static void note_failure(struct elf_file *file)
{
	file->lacks_memory |= errno == ENOMEM;
}

bool elf_file__section(const struct elf_file *file, size_t index, struct elf_section *section)
{
	section->index = index;
	section->handle = index < file->nr_sections ? elf_getscn(file->elf, index) : NULL;
	return section->handle && gelf_getshdr(section->handle, &section->header);
}

static bool names_begin(const struct elf_file *file, const struct elf_section *section,
			const char *text, size_t bytes)
{
	const GElf_Word name = section->header.sh_name;

	return file->names && name < file->names->d_size && bytes <= file->names->d_size - name &&
	       !memcmp((const char *)file->names->d_buf + name, text, bytes);
}

bool elf_file__has_prefix(const struct elf_file *file, const struct elf_section *section,
			  const char *prefix)
{
	return names_begin(file, section, prefix, strlen(prefix));
}

bool elf_file__find(const struct elf_file *file, const char *name, struct elf_section *section)
{
	size_t i;

	for (i = 1; i < file->nr_sections; i++)
		if (elf_file__section(file, i, section) && section->header.sh_type != SHT_NOBITS &&
		    names_begin(file, section, name, strlen(name) + 1))
			return true;
	return false;
}

bool elf_file__find_type(const struct elf_file *file, GElf_Word type, struct elf_section *section)
{
	size_t i;

	for (i = 1; i < file->nr_sections; i++)
		if (elf_file__section(file, i, section) && section->header.sh_type == type)
			return true;
	return false;
}

/*
 * Decompresses if the claimed size is within limits; libelf would allocate the claimed size for any
 * input.
 */
static bool decompress(struct elf_file *file, const struct elf_section *section)
{
	const uint64_t most = MIN_DECOMPRESSED + MAX_RATIO * section->header.sh_size;
	GElf_Chdr compressed;

	if (!gelf_getchdr(section->handle, &compressed) || compressed.ch_size > most ||
	    compressed.ch_size > MAX_SECTION_BYTES || compressed.ch_size > file->left_bytes)
		return false;
	file->left_bytes -= compressed.ch_size;
	errno = 0;
	if (elf_compress(section->handle, 0, 0) >= 0)
		return true;
	note_failure(file);
	return false;
}

Elf_Data *elf_file__data(struct elf_file *file, const struct elf_section *section)
{
	const GElf_Shdr *header = &section->header;
	GElf_Shdr now;
	Elf_Data *data;

	if (header->sh_type == SHT_NOBITS || header->sh_size > MAX_SECTION_BYTES ||
	    header->sh_size > file->left_bytes || !holds(file, header->sh_offset, header->sh_size))
		return NULL;
	file->left_bytes -= header->sh_size; /* counts again for sections that overlap */
	/* A section that was read before is decompressed already. */
	if (!gelf_getshdr(section->handle, &now) ||
	    ((now.sh_flags & SHF_COMPRESSED) && !decompress(file, section)))
		return NULL;
	errno = 0;
	data = elf_getdata(section->handle, NULL);
	if (!data)
		note_failure(file);
	return data && data->d_buf && data->d_size <= MAX_SECTION_BYTES ? data : NULL;
}

/* Reads the compression header itself, as gelf_getchdr() would read the whole section. */
uint64_t elf_file__section_bytes(const struct elf_file *file, const struct elf_section *section)
{
	const size_t nr_bytes = gelf_fsize(file->elf, ELF_T_CHDR, 1, EV_CURRENT);
	const GElf_Shdr *header = &section->header;
	const Elf_Data *data;

	if (!(header->sh_flags & SHF_COMPRESSED) || header->sh_type == SHT_NOBITS ||
	    header->sh_size < nr_bytes || !holds(file, header->sh_offset, nr_bytes))
		return header->sh_size;
	data = elf_getdata_rawchunk(file->elf, (int64_t)header->sh_offset, nr_bytes, ELF_T_CHDR);
	if (!data || !data->d_buf)
		return header->sh_size;
	return gelf_getclass(file->elf) == ELFCLASS32 ? ((const Elf32_Chdr *)data->d_buf)->ch_size
						      : ((const Elf64_Chdr *)data->d_buf)->ch_size;
}

/* ---- segments and bytes ---- */

bool elf_file__segment(const struct elf_file *file, size_t index, GElf_Phdr *segment)
{
	return index < file->nr_segments && gelf_getphdr(file->elf, (int)index, segment);
}

bool elf_file__find_code(const struct elf_file *file, uint64_t address, uint64_t *offset,
			 uint64_t *left)
{
	GElf_Phdr header;

	for (size_t i = 0; elf_file__segment(file, i, &header); i++)
		if (header.p_type == PT_LOAD && header.p_flags & PF_X &&
		    address >= header.p_vaddr && address - header.p_vaddr < header.p_filesz) {
			*offset = header.p_offset + (address - header.p_vaddr);
			*left = header.p_filesz - (address - header.p_vaddr);
			return true;
		}
	return false;
}

const void *elf_file__bytes(struct elf_file *file, uint64_t offset, uint64_t nr_bytes)
{
	const Elf_Data *data;

	if (nr_bytes > file->left_bytes || !holds(file, offset, nr_bytes))
		return NULL;
	file->left_bytes -= nr_bytes;
	errno = 0;
	data = elf_getdata_rawchunk(file->elf, (int64_t)offset, nr_bytes, ELF_T_BYTE);
	if (!data)
		note_failure(file);
	return data ? data->d_buf : NULL;
}

/* ---- relocations ---- */

/* Visits the relocations of a section. False: on_relocation returned false. */
static bool walk_section(struct elf_file *file, const struct elf_section *section,
			 bool (*on_relocation)(void *context, const GElf_Rela *relocation),
			 void *context)
{
	const size_t entry_bytes = gelf_fsize(file->elf, ELF_T_RELA, 1, EV_CURRENT);
	GElf_Rela relocation;
	Elf_Data *data;
	size_t i;

	if (entry_bytes == 0 || section->header.sh_entsize != entry_bytes)
		return true;
	data = elf_file__data(file, section);
	for (i = 0; data && i < data->d_size / entry_bytes; i++)
		if (gelf_getrela(data, (int)i, &relocation) && !on_relocation(context, &relocation))
			return false;
	return true;
}

void elf_file__each_relocation(struct elf_file *file,
			       bool (*on_relocation)(void *context, const GElf_Rela *relocation),
			       void *context)
{
	struct elf_section section;
	size_t i;

	for (i = 1; i < file->nr_sections; i++)
		if (elf_file__section(file, i, &section) && section.header.sh_type == SHT_RELA &&
		    (section.header.sh_flags & SHF_ALLOC) &&
		    !walk_section(file, &section, on_relocation, context))
			return;
}

/* ---- build IDs ---- */

bool build_id__equals(const struct build_id *a, const struct build_id *b)
{
	return a->length == b->length && !memcmp(a->bytes, b->bytes, a->length);
}

void build_id__format(const struct build_id *id, char text[BUILD_ID_TEXT_SIZE])
{
	size_t i;

	text[0] = '\0';
	for (i = 0; i < id->length; i++)
		snprintf(text + 2 * i, 3, "%02x", id->bytes[i]);
}

void build_id__find(Elf_Data *notes, struct build_id *id)
{
	size_t at = 0, name, description;
	GElf_Nhdr note;

	id->length = 0;
	while (notes && !id->length &&
	       (at = gelf_getnote(notes, at, &note, &name, &description)) > 0) {
		const char *text = notes->d_buf;

		if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != sizeof(ELF_NOTE_GNU) ||
		    memcmp(text + name, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU)) ||
		    note.n_descsz > BUILD_ID_MAX_BYTES)
			continue;
		memcpy(id->bytes, text + description, note.n_descsz);
		id->length = note.n_descsz;
	}
}

static void read_notes(const struct elf_file *file, uint64_t offset, uint64_t bytes,
		       uint64_t alignment, struct build_id *id)
{
	const Elf_Type type = alignment == 8 ? ELF_T_NHDR8 : ELF_T_NHDR;

	if (!id->length && bytes <= MAX_NOTES_BYTES && holds(file, offset, bytes))
		build_id__find(elf_getdata_rawchunk(file->elf, (int64_t)offset, bytes, type), id);
}

void elf_file__build_id(const struct elf_file *file, struct build_id *id)
{
	struct elf_section section;
	GElf_Phdr header;

	id->length = 0;
	for (size_t i = 1; i < file->nr_sections && i < MAX_NOTE_HEADERS; i++)
		if (elf_file__section(file, i, &section) && section.header.sh_type == SHT_NOTE)
			read_notes(file, section.header.sh_offset, section.header.sh_size,
				   section.header.sh_addralign, id);
	for (size_t i = 0; i < file->nr_segments && i < MAX_NOTE_HEADERS; i++)
		if (elf_file__segment(file, i, &header) && header.p_type == PT_NOTE)
			read_notes(file, header.p_offset, header.p_filesz, header.p_align, id);
}
