// SPDX-License-Identifier: GPL-2.0-only
/*
 * From an ELF file: its machine, its executable segments, and the bytes of .eh_frame or
 * .debug_frame.
 *
 * Sections are found by name. Without section headers .eh_frame is where .eh_frame_hdr points,
 * whose own place is in the program headers; then only the end of its segment bounds it. The sorted
 * table of .eh_frame_hdr is not used: the records themselves say more, and need no trust.
 */
#include "unwind/cfi.h"

#include "elf/file.h"

#define MAX_DYNAMIC_BYTES 65536
#define ALIGNMENT	  0x10000    /* the largest page */
#define MIN_INFLATED	  (1U << 20) /* any compressed section may come to that */
#define MAX_RATIO	  16	     /* of a compressed one; frames come to 2 to 5 */

static const struct cfi_machine x86_64 = {
	.fp = 6, .sp = 7, .ip = 16, .has_signal = true, .call_links = {5, 1} /* rdi, rdx */};
static const struct cfi_machine aarch64 = {.fp = 29, .sp = 31, .ip = 32, .link = 30};

/* All numbers are below 2^63, so that differences of them are signed ones. */
static bool is_sane(const GElf_Phdr *header)
{
	return header->p_vaddr <= INT64_MAX && header->p_memsz <= INT64_MAX - header->p_vaddr &&
	       header->p_offset <= INT64_MAX && header->p_filesz <= INT64_MAX - header->p_offset &&
	       header->p_filesz <= header->p_memsz;
}

static int read_text(const struct elf_file *file, struct cfi_text *text)
{
	GElf_Phdr header;
	size_t i;

	text->base = UINT64_MAX;
	text->head = CFI_NO_HEAD;
	for (i = 0; i < file->nr_segments && text->nr_segments < CFI_MAX_SEGMENTS; i++) {
		if (!elf_file__segment(file, i, &header) || header.p_type != PT_LOAD ||
		    !header.p_filesz || !is_sane(&header))
			continue;
		if (!header.p_offset)
			text->head = header.p_vaddr;
		if (!(header.p_flags & PF_X))
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

static bool find_segment(const struct elf_file *file, uint32_t type, GElf_Phdr *header)
{
	size_t i;

	for (i = 0; i < file->nr_segments; i++)
		if (elf_file__segment(file, i, header) && header->p_type == type && is_sane(header))
			return true;
	return false;
}

/* Bytes of the file; bad if they are not there. */
static struct cursor read_bytes(struct elf_file *file, uint64_t offset, uint64_t nr_bytes)
{
	const uint8_t *bytes = elf_file__bytes(file, offset, nr_bytes);

	return (struct cursor){.at = bytes, .end = bytes ? bytes + nr_bytes : NULL, .bad = !bytes};
}

static bool needs_libraries(struct elf_file *file)
{
	struct cursor entries;
	GElf_Phdr header;
	uint64_t tag;

	if (!find_segment(file, PT_DYNAMIC, &header) || header.p_filesz > MAX_DYNAMIC_BYTES)
		return false;
	entries = read_bytes(file, header.p_offset, header.p_filesz);
	do {
		tag = cursor__unsigned(&entries, sizeof(tag));
		cursor__skip(&entries, sizeof(tag)); /* its value */
	} while (!entries.bad && tag != DT_NULL && tag != DT_NEEDED);
	return !entries.bad && tag == DT_NEEDED;
}

/*
 * Programs have an entry, and what starts them: the dynamic linker, which is a library that needs
 * no others. Some linkers put a meaningless one into other libraries.
 */
static uint64_t find_entry(struct elf_file *file, const struct cfi_text *text)
{
	const GElf_Ehdr *header = &file->header;
	GElf_Phdr interpreter;
	size_t i;

	if (header->e_type != ET_EXEC && !find_segment(file, PT_INTERP, &interpreter) &&
	    needs_libraries(file))
		return 0;
	for (i = 0; i < text->nr_segments; i++)
		if (header->e_entry - text->segments[i].vaddr < text->segments[i].size)
			return header->e_entry;
	return 0;
}

/* ---- By section headers ---- */

static void read_stubs(struct elf_file *file, struct cfi_source *source, const char *name)
{
	struct cfi_stubs *stubs = &source->stubs[source->nr_stubs];
	struct elf_section section;
	const void *code;
	size_t nr_bytes;

	if (!elf_file__find(file, name, &section) || section.header.sh_size < 8 ||
	    source->nr_stubs == CFI_MAX_STUBS)
		return;
	nr_bytes =
		section.header.sh_size < CFI_STUB_BYTES ? section.header.sh_size : CFI_STUB_BYTES;
	code = elf_file__bytes(file, section.header.sh_offset, nr_bytes);
	if (!code)
		return;
	*stubs =
		(struct cfi_stubs){.vaddr = section.header.sh_addr, .size = section.header.sh_size};
	memcpy(stubs->code, code, nr_bytes);
	source->nr_stubs++;
}

static int read_section(struct elf_file *file, const char *name, struct frame_section *out)
{
	struct elf_section section;
	const Elf_Data *data;

	if (!elf_file__find(file, name, &section) || !section.header.sh_size)
		return -ENOENT;
	if (elf_file__section_bytes(file, &section) > CFI_MAX_SECTION_BYTES)
		return -E2BIG;
	if (elf_file__section_bytes(file, &section) >
	    MIN_INFLATED + MAX_RATIO * section.header.sh_size)
		return -EBADMSG;
	data = elf_file__data(file, &section);
	if (!data)
		return -EBADMSG;
	*out = (struct frame_section){.data = data->d_buf,
				      .size = data->d_size,
				      .vaddr = section.header.sh_addr,
				      .word_bytes = 8};
	return 0;
}

/* ---- By program headers ---- */

static int read_behind_hdr(struct elf_file *file, struct frame_section *out)
{
	struct frame_section hdr = {.word_bytes = 8};
	uint64_t eh_frame, skipped, nr_bytes;
	uint8_t version, encoding;
	struct cursor cursor;
	GElf_Phdr header;
	size_t i;

	/* version 1, encodings of eh_frame_ptr, fde_count, table: a byte each; then eh_frame_ptr */
	if (!find_segment(file, PT_GNU_EH_FRAME, &header))
		return -ENOENT;
	cursor = read_bytes(file, header.p_offset, header.p_filesz < 16 ? header.p_filesz : 16);
	hdr.data = cursor.at;
	hdr.vaddr = header.p_vaddr;
	version = cursor__u8(&cursor);
	encoding = cursor__u8(&cursor);
	cursor__skip(&cursor, 2);
	eh_frame = frame_section__pointer(&hdr, &cursor, encoding);
	if (version != 1 || cursor.bad)
		return -EBADMSG;

	for (i = 0; i < file->nr_segments; i++)
		if (elf_file__segment(file, i, &header) && header.p_type == PT_LOAD &&
		    is_sane(&header) && eh_frame - header.p_vaddr < header.p_filesz)
			break;
	if (i == file->nr_segments)
		return -EBADMSG;
	skipped = eh_frame - header.p_vaddr;
	nr_bytes = header.p_filesz - skipped;
	if (nr_bytes > CFI_MAX_SECTION_BYTES)
		return -E2BIG;
	*out = (struct frame_section){
		.data = elf_file__bytes(file, header.p_offset + skipped, nr_bytes),
		.size = nr_bytes,
		.vaddr = eh_frame,
		.word_bytes = 8,
		.ends_at_terminator = true};
	return out->data ? 0 : -EBADMSG;
}

int cfi_source__read(struct cfi_source *source, struct elf_file *file)
{
	const GElf_Ehdr *header = &file->header;
	struct frame_section *debug;
	int err;

	if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB ||
	    (header->e_type != ET_EXEC && header->e_type != ET_DYN) ||
	    (header->e_machine != EM_X86_64 && header->e_machine != EM_AARCH64))
		return -ENOTSUP;
	source->machine = header->e_machine == EM_X86_64 ? x86_64 : aarch64;
	err = read_text(file, &source->text);
	if (err)
		return err;
	source->text.entry = find_entry(file, &source->text);
	read_stubs(file, source, ".plt");
	read_stubs(file, source, ".plt.sec");
	read_stubs(file, source, ".plt.got");
	read_stubs(file, source, ".iplt");

	err = read_section(file, ".eh_frame", &source->sections[0]);
	if (err == -ENOENT)
		err = read_behind_hdr(file, &source->sections[0]);
	if (err && err != -ENOENT)
		return err;
	source->nr_sections = !err;

	/* Go's table is there always, and says more than .debug_frame: where stacks begin. */
	if (pclntab__find(&source->go, file))
		return 0;
	source->go.nr_functions = 0;

	/* For programs built with debug information and without tables for exceptions. */
	debug = &source->sections[source->nr_sections];
	err = read_section(file, ".debug_frame", debug);
	debug->is_debug = true;
	source->nr_sections += !err;
	return source->nr_sections ? 0 : err;
}
