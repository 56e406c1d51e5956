// SPDX-License-Identifier: GPL-2.0-only
/*
 * From an ELF file: its machine, its executable segments, and the bytes of .eh_frame or
 * .debug_frame.
 *
 * Sections are found by name. Without section headers .eh_frame is where .eh_frame_hdr points,
 * whose own place is in the program headers; then only the end of its segment bounds it. The sorted
 * table of .eh_frame_hdr is not used: the records themselves say more, and need no trust.
 */
#include "unwind/source.h"

#include <dwarf.h>
#include <errno.h>
#include <gelf.h>

#define MAX_SECTIONS	    16384
#define MAX_NAMES_BYTES	    (256U << 10)
#define MAX_PROGRAM_HEADERS 4096
#define MAX_DYNAMIC_BYTES   65536
#define ALIGNMENT	    0x10000 /* the largest page */

static const struct cfi_machine x86_64 = {.fp = 6, .sp = 7, .ip = 16, .has_signal = true};
static const struct cfi_machine aarch64 = {.fp = 29, .sp = 31, .ip = 32, .has_link = true};

static int read_header(Elf *elf, GElf_Ehdr *header, struct cfi_machine *machine)
{
	if (elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, header))
		return -EBADMSG;
	if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB)
		return -ENOTSUP;
	if (header->e_type != ET_EXEC && header->e_type != ET_DYN)
		return -ENOTSUP;
	if (header->e_machine == EM_X86_64)
		*machine = x86_64;
	else if (header->e_machine == EM_AARCH64)
		*machine = aarch64;
	else
		return -ENOTSUP;
	return 0;
}

static size_t count_program_headers(Elf *elf)
{
	size_t nr;

	if (elf_getphdrnum(elf, &nr))
		return 0;
	return nr < MAX_PROGRAM_HEADERS ? nr : MAX_PROGRAM_HEADERS;
}

static bool is_sane(const GElf_Phdr *header)
{
	return header->p_vaddr + header->p_memsz >= header->p_vaddr &&
	       header->p_offset + header->p_filesz >= header->p_offset &&
	       header->p_filesz <= header->p_memsz;
}

static int read_text(Elf *elf, struct cfi_text *text)
{
	size_t nr = count_program_headers(elf), i;
	GElf_Phdr header;

	text->base = UINT64_MAX;
	for (i = 0; i < nr && text->nr_segments < CFI_MAX_SEGMENTS; i++) {
		if (!gelf_getphdr(elf, (int)i, &header) || header.p_type != PT_LOAD ||
		    !(header.p_flags & PF_X) || !header.p_filesz || !is_sane(&header))
			continue;
		text->segments[text->nr_segments++] = (struct cfi_segment){
			.vaddr = header.p_vaddr,
			.offset = header.p_offset,
			.size = header.p_filesz,
		};
		if (header.p_vaddr < text->base)
			text->base = header.p_vaddr;
	}
	text->base &= ~(uint64_t)(ALIGNMENT - 1);
	return text->nr_segments ? 0 : -ENOENT;
}

static bool find_program_header(Elf *elf, uint32_t type, GElf_Phdr *header)
{
	size_t nr = count_program_headers(elf), i;

	for (i = 0; i < nr; i++)
		if (gelf_getphdr(elf, (int)i, header) && header->p_type == type && is_sane(header))
			return true;
	return false;
}

static bool needs_libraries(Elf *elf)
{
	GElf_Phdr header;
	Elf_Data *data;
	GElf_Dyn entry;
	int i;

	if (!find_program_header(elf, PT_DYNAMIC, &header) || header.p_filesz > MAX_DYNAMIC_BYTES)
		return false;
	data = elf_getdata_rawchunk(elf, (int64_t)header.p_offset, header.p_filesz, ELF_T_DYN);
	for (i = 0; data && gelf_getdyn(data, i, &entry) && entry.d_tag != DT_NULL; i++)
		if (entry.d_tag == DT_NEEDED)
			return true;
	return false;
}

/*
 * Programs have an entry, and what starts them: the dynamic linker, which is a library that needs
 * no others. Some linkers put a meaningless one into other libraries.
 */
static uint64_t find_entry(Elf *elf, const struct cfi_text *text, const GElf_Ehdr *header)
{
	GElf_Phdr interpreter;
	size_t i;

	if (header->e_type != ET_EXEC && !find_program_header(elf, PT_INTERP, &interpreter) &&
	    needs_libraries(elf))
		return 0;
	for (i = 0; i < text->nr_segments; i++)
		if (header->e_entry - text->segments[i].vaddr < text->segments[i].size)
			return header->e_entry;
	return 0;
}

/* ---- By section headers ---- */

/* libelf looks for the end of the names each time it is asked for one: both must be few. */
static bool find_names(Elf *elf, size_t *names)
{
	GElf_Shdr header;
	size_t nr;

	return !elf_getshdrnum(elf, &nr) && nr <= MAX_SECTIONS && !elf_getshdrstrndx(elf, names) &&
	       gelf_getshdr(elf_getscn(elf, *names), &header) && header.sh_size <= MAX_NAMES_BYTES;
}

static Elf_Scn *find_section(Elf *elf, const char *name, GElf_Shdr *header)
{
	size_t names;
	Elf_Scn *section = NULL;
	const char *candidate;

	if (!find_names(elf, &names))
		return NULL;
	while ((section = elf_nextscn(elf, section))) {
		if (!gelf_getshdr(section, header) || header->sh_type == SHT_NOBITS)
			continue;
		candidate = elf_strptr(elf, names, header->sh_name);
		if (candidate && !strcmp(candidate, name))
			return section;
	}
	return NULL;
}

static void read_stubs(Elf *elf, struct cfi_source *source, const char *name)
{
	struct cfi_stubs *stubs = &source->stubs[source->nr_stubs];
	GElf_Shdr header;
	Elf_Data *data;

	if (!find_section(elf, name, &header) || header.sh_size < 8)
		return;
	data = elf_getdata_rawchunk(
		elf, (int64_t)header.sh_offset,
		header.sh_size < CFI_STUB_BYTES ? header.sh_size : CFI_STUB_BYTES, ELF_T_BYTE);
	if (!data || !data->d_buf || source->nr_stubs == CFI_MAX_STUBS)
		return;
	*stubs = (struct cfi_stubs){.vaddr = header.sh_addr, .size = header.sh_size};
	memcpy(stubs->code, data->d_buf, data->d_size);
	source->nr_stubs++;
}

/* libelf refuses sizes that no deflated stream can reach; ours is the tighter bound. */
static int inflate(Elf_Scn *section)
{
	GElf_Chdr header;

	if (!gelf_getchdr(section, &header))
		return -EBADMSG;
	if (header.ch_size > CFI_MAX_SECTION_BYTES)
		return -E2BIG;
	return elf_compress(section, 0, 0) == 1 ? 0 : -EBADMSG;
}

static int read_section(Elf *elf, const char *name, struct cfi_section *out)
{
	GElf_Shdr header;
	Elf_Scn *section = find_section(elf, name, &header);
	Elf_Data *data;
	int err;

	if (!section || !header.sh_size)
		return -ENOENT;
	if (header.sh_size > CFI_MAX_SECTION_BYTES)
		return -E2BIG;
	if (header.sh_flags & SHF_COMPRESSED) {
		err = inflate(section);
		if (err)
			return err;
		data = elf_getdata(section, NULL);
	} else {
		data = elf_getdata_rawchunk(elf, (int64_t)header.sh_offset, header.sh_size,
					    ELF_T_BYTE);
	}
	if (!data || !data->d_buf)
		return -EBADMSG;
	*out = (struct cfi_section){
		.data = data->d_buf, .size = data->d_size, .vaddr = header.sh_addr};
	return 0;
}

/* ---- By program headers ---- */

static bool find_load(Elf *elf, uint64_t vaddr, GElf_Phdr *header)
{
	size_t nr = count_program_headers(elf), i;

	for (i = 0; i < nr; i++)
		if (gelf_getphdr(elf, (int)i, header) && header->p_type == PT_LOAD &&
		    is_sane(header) && vaddr - header->p_vaddr < header->p_filesz)
			return true;
	return false;
}

/* version 1, encodings of eh_frame_ptr, fde_count, table: a byte each; then eh_frame_ptr */
static int read_hdr_pointer(Elf *elf, const GElf_Phdr *header, uint64_t *eh_frame)
{
	size_t nr_bytes = header->p_filesz < 16 ? header->p_filesz : 16;
	struct cfi_section section = {.vaddr = header->p_vaddr};
	struct cursor cursor;
	uint8_t version, encoding;
	Elf_Data *data;

	data = elf_getdata_rawchunk(elf, (int64_t)header->p_offset, nr_bytes, ELF_T_BYTE);
	if (!data || !data->d_buf)
		return -EBADMSG;
	section.data = data->d_buf;
	cursor = (struct cursor){.at = section.data, .end = section.data + data->d_size};
	version = cursor__u8(&cursor);
	encoding = cursor__u8(&cursor);
	cursor__skip(&cursor, 2);
	*eh_frame = cfi_section__pointer(&section, &cursor, encoding);
	return version == 1 && !cursor.bad ? 0 : -EBADMSG;
}

static int read_behind_hdr(Elf *elf, struct cfi_section *out)
{
	GElf_Phdr header;
	uint64_t eh_frame, skipped;
	Elf_Data *data;
	int err;

	if (!find_program_header(elf, PT_GNU_EH_FRAME, &header))
		return -ENOENT;
	err = read_hdr_pointer(elf, &header, &eh_frame);
	if (err)
		return err;
	if (!find_load(elf, eh_frame, &header))
		return -EBADMSG;
	skipped = eh_frame - header.p_vaddr;
	if (header.p_filesz - skipped > CFI_MAX_SECTION_BYTES)
		return -E2BIG;
	data = elf_getdata_rawchunk(elf, (int64_t)(header.p_offset + skipped),
				    header.p_filesz - skipped, ELF_T_BYTE);
	if (!data || !data->d_buf)
		return -EBADMSG;
	*out = (struct cfi_section){.data = data->d_buf,
				    .size = data->d_size,
				    .vaddr = eh_frame,
				    .ends_at_terminator = true};
	return 0;
}

static int read_frames(Elf *elf, struct cfi_source *source)
{
	int err = read_section(elf, ".eh_frame", &source->sections[0]);

	if (err == -ENOENT)
		err = read_behind_hdr(elf, &source->sections[0]);
	source->nr_sections = !err;
	return err == -ENOENT ? 0 : err;
}

/* For programs built with debug information and without tables for exceptions, as Go's are. */
static int add_debug_frames(Elf *elf, struct cfi_source *source)
{
	struct cfi_section *section = &source->sections[source->nr_sections];
	int err = read_section(elf, ".debug_frame", section);

	section->is_debug = true;
	if (!err)
		source->nr_sections++;
	return source->nr_sections ? 0 : err;
}

int cfi_source__read(struct cfi_source *source, Elf *elf)
{
	GElf_Ehdr header;
	int err;

	err = read_header(elf, &header, &source->machine);
	if (err)
		return err;
	err = read_text(elf, &source->text);
	if (err)
		return err;
	source->text.entry = find_entry(elf, &source->text, &header);
	read_stubs(elf, source, ".plt");
	read_stubs(elf, source, ".plt.sec");
	read_stubs(elf, source, ".plt.got");
	read_stubs(elf, source, ".iplt");
	err = read_frames(elf, source);
	return err ? err : add_debug_frames(elf, source);
}
