// SPDX-License-Identifier: GPL-2.0-only
/*
 * A note has three addresses: of the instruction, of the section .stapsdt.base when the note was
 * written, and of the semaphore; then provider, name and arguments, each with its zero. A tool that
 * moves the file's addresses later (prelink) does not change notes; the section's address tells by
 * how much it moved.
 */
#include "elf/usdt.h"

#include "base/cursor.h"
#include "elf/file.h"

#define NOTES		".note.stapsdt"
#define BASE		".stapsdt.base"
#define NOTE_NAME	"stapsdt"
#define NOTE_TYPE	3
#define MAX_NAME_BYTES	256
#define MAX_WORDS_BYTES 4096 /* of arguments */
#define MAX_PROBES \
	4096 /* of a provider: libelf searches the parts of the file read so far one by one */

struct usdt_notes {
	struct elf_file *file;
	const char *provider;
	uint64_t base; /* current address of .stapsdt.base; 0: none */
	int (*take)(void *context, const struct usdt_probe *probe);
	void *context;
	size_t nr_probes;
};

/* The file offset of data; 0: not in the file. */
static uint64_t find_data(const struct elf_file *file, uint64_t address)
{
	GElf_Phdr header;

	for (size_t i = 0; elf_file__segment(file, i, &header); i++)
		if (header.p_type == PT_LOAD && address >= header.p_vaddr &&
		    address - header.p_vaddr < header.p_filesz)
			return header.p_offset + (address - header.p_vaddr);
	return 0;
}

static bool is_nop(struct elf_file *file, uint64_t offset)
{
	static const uint8_t of_x86[] = {0x90}, of_arm[] = {0x1f, 0x20, 0x03, 0xd5};
	const bool is_arm = file->header.e_machine == EM_AARCH64;
	const size_t size = is_arm ? sizeof(of_arm) : sizeof(of_x86);
	const void *code = elf_file__bytes(file, offset, size);

	return code && !memcmp(code, is_arm ? of_arm : of_x86, size);
}

static int take_note(struct usdt_notes *notes, struct cursor description)
{
	const uint64_t address = cursor__unsigned(&description, 8);
	const uint64_t base = cursor__unsigned(&description, 8);
	const uint64_t semaphore = cursor__unsigned(&description, 8);
	const char *provider = cursor__string(&description, MAX_NAME_BYTES);
	const char *name = cursor__string(&description, MAX_NAME_BYTES);
	const char *words = cursor__string(&description, MAX_WORDS_BYTES);
	const uint64_t moved = notes->base && base ? notes->base - base : 0;
	struct usdt_probe probe = {.name = name};
	uint64_t left;

	if (description.bad || strcmp(provider, notes->provider) != 0 ||
	    notes->nr_probes++ >= MAX_PROBES ||
	    !elf_file__find_code(notes->file, address + moved, &probe.offset, &left))
		return 0;
	probe.is_nop = is_nop(notes->file, probe.offset);
	if (semaphore)
		probe.semaphore = find_data(notes->file, semaphore + moved);
	if (semaphore && !probe.semaphore)
		return 0;
	probe.nr_arguments =
		usdt__read_arguments(words, notes->file->header.e_machine, probe.arguments);
	return notes->take(notes->context, &probe);
}

int usdt__each(struct elf_file *file, const char *provider,
	       int (*take)(void *context, const struct usdt_probe *probe), void *context)
{
	struct usdt_notes notes = {
		.file = file, .provider = provider, .take = take, .context = context};
	const GElf_Ehdr *header = &file->header;
	size_t offset = 0, name, description;
	struct elf_section section;
	GElf_Nhdr note;
	Elf_Data *data;
	int code = 0;

	if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB ||
	    (header->e_machine != EM_X86_64 && header->e_machine != EM_AARCH64))
		return 0;
	if (elf_file__find(file, BASE, &section))
		notes.base = section.header.sh_addr;
	data = elf_file__find(file, NOTES, &section) ? elf_file__data(file, &section) : NULL;
	while (data && !code &&
	       (offset = gelf_getnote(data, offset, &note, &name, &description)) > 0) {
		const uint8_t *bytes = data->d_buf;
		const struct cursor body = {.at = bytes + description,
					    .end = bytes + description + note.n_descsz};

		if (note.n_type == NOTE_TYPE && note.n_namesz == sizeof(NOTE_NAME) &&
		    !memcmp(bytes + name, NOTE_NAME, sizeof(NOTE_NAME)))
			code = take_note(&notes, body);
	}
	return code;
}
