/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An ELF file made by hand, in memory, with call frame information made by hand.
 *
 *	0x0000  headers
 *	0x1000  text, 0x1000 bytes; the program's entry is wherever the test says; .plt at STUBS
 *	0x2000  .eh_frame (or .debug_frame), then .eh_frame_hdr at HDR
 *
 * File offset and virtual address differ by 0x10000, so that mixing them up shows.
 */
#ifndef TOPSTACKS_TESTS_CFI_IMAGE_H
#define TOPSTACKS_TESTS_CFI_IMAGE_H

#include <elf.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define IMAGE_BIAS  0x10000
#define TEXT	    0x1000
#define TEXT_BYTES  0x1000
#define STUBS	    0x1800
#define FRAMES	    0x2000
#define HDR	    0x6000
#define NAMES	    0x6100
#define SECTIONS    0x6200
#define IMAGE_BYTES 0x7000

struct cfi_image {
	uint8_t bytes[IMAGE_BYTES];
	size_t at; /* where the next byte of the frame section goes */
	uint16_t machine;
	uint64_t entry;
	bool is_debug, without_sections;
	uint8_t stubs[32]; /* how .plt begins */
	size_t nr_stub_bytes;
};

static inline void put(struct cfi_image *image, uint64_t value, size_t nr_bytes)
{
	memcpy(image->bytes + image->at, &value, nr_bytes);
	image->at += nr_bytes;
}

static inline void put_bytes(struct cfi_image *image, const uint8_t *bytes, size_t nr_bytes)
{
	if (nr_bytes)
		memcpy(image->bytes + image->at, bytes, nr_bytes);
	image->at += nr_bytes;
}

static inline uint64_t here(const struct cfi_image *image)
{
	return image->at + IMAGE_BIAS;
}

static inline void image_begin(struct cfi_image *image)
{
	*image = (struct cfi_image){.at = FRAMES, .machine = EM_X86_64};
}

/* A record's length is known at its end: begin returns where to write it. */
static inline size_t record_begin(struct cfi_image *image)
{
	put(image, 0, 4);
	return image->at - 4;
}

static inline void record_end(struct cfi_image *image, size_t start)
{
	uint32_t length = (uint32_t)(image->at - start - 4);

	memcpy(image->bytes + start, &length, 4);
}

/*
 * A CIE of version 1 with alignments 1 and -8 and return address column 16. data are augmentation
 * data; has_data tells none from empty ones. Returns its place.
 */
struct cie_parts {
	const char *augmentation;
	const uint8_t *data;
	size_t nr_data;
	const uint8_t *program;
	size_t nr_program;
};

static inline size_t put_cie(struct cfi_image *image, const struct cie_parts *parts)
{
	size_t start = record_begin(image);

	put(image, image->is_debug ? UINT32_MAX : 0, 4);
	put(image, 1, 1);
	put_bytes(image, (const uint8_t *)parts->augmentation, strlen(parts->augmentation) + 1);
	put(image, 1, 1);
	put(image, 0x78, 1); /* -8 */
	put(image, image->machine == EM_AARCH64 ? 30 : 16, 1);
	if (parts->augmentation[0] == 'z') {
		put(image, parts->nr_data, 1);
		put_bytes(image, parts->data, parts->nr_data);
	}
	put_bytes(image, parts->program, parts->nr_program);
	record_end(image, start);
	return start;
}

/* The usual one: "zR", pc-relative, CFA = rsp + 8, return address at CFA - 8. */
static inline size_t put_usual_cie(struct cfi_image *image)
{
	static const uint8_t encoding[] = {0x1b};
	static const uint8_t program[] = {0x0c, 7, 8, 0x80 | 16, 1};

	return put_cie(image, &(struct cie_parts){"zR", encoding, 1, program, sizeof(program)});
}

static inline void put_cie_reference(struct cfi_image *image, size_t cie)
{
	put(image, image->is_debug ? cie - FRAMES : image->at - cie, 4);
}

/* An FDE of the usual CIE's form. start is relative to the text. Returns its place. */
static inline size_t put_fde(struct cfi_image *image, size_t cie, uint32_t start, uint32_t nr_bytes,
			     const uint8_t *program, size_t nr_program)
{
	size_t at = record_begin(image);

	put_cie_reference(image, cie);
	put(image, TEXT + IMAGE_BIAS + start - here(image), 4);
	put(image, nr_bytes, 4);
	put(image, 0, 1); /* no augmentation data */
	put_bytes(image, program, nr_program);
	record_end(image, at);
	return at;
}

/* The same with the program's bytes as arguments, if any; a DW_CFA_nop comes first. */
#define PUT_FDE(image, cie, start, nr_bytes, ...)                                 \
	put_fde(image, cie, start, nr_bytes, (const uint8_t[]){0, ##__VA_ARGS__}, \
		sizeof((const uint8_t[]){0, ##__VA_ARGS__}))

static inline void write_program_headers(struct cfi_image *image, Elf64_Ehdr *header)
{
	Elf64_Phdr *headers = (Elf64_Phdr *)(image->bytes + sizeof(*header));

	headers[0] = (Elf64_Phdr){.p_type = PT_LOAD,
				  .p_flags = PF_R | PF_X,
				  .p_offset = TEXT,
				  .p_vaddr = TEXT + IMAGE_BIAS,
				  .p_filesz = TEXT_BYTES,
				  .p_memsz = TEXT_BYTES};
	headers[1] = (Elf64_Phdr){.p_type = PT_LOAD,
				  .p_flags = PF_R,
				  .p_offset = FRAMES,
				  .p_vaddr = FRAMES + IMAGE_BIAS,
				  .p_filesz = IMAGE_BYTES - FRAMES,
				  .p_memsz = IMAGE_BYTES - FRAMES};
	headers[2] = (Elf64_Phdr){.p_type = PT_GNU_EH_FRAME,
				  .p_offset = HDR,
				  .p_vaddr = HDR + IMAGE_BIAS,
				  .p_filesz = 12,
				  .p_memsz = 12};
	header->e_phoff = sizeof(*header);
	header->e_phentsize = sizeof(Elf64_Phdr);
	header->e_phnum = image->is_debug ? 2 : 3;
}

/* version 1, pcrel | sdata4, no count, no table, pointer to .eh_frame */
static inline void write_eh_frame_hdr(struct cfi_image *image)
{
	static const uint8_t start[] = {1, 0x1b, 0xff, 0xff};
	int32_t distance = FRAMES - (HDR + 4);

	memcpy(image->bytes + HDR, start, sizeof(start));
	memcpy(image->bytes + HDR + sizeof(start), &distance, sizeof(distance));
}

static inline void write_sections(struct cfi_image *image, Elf64_Ehdr *header)
{
	static const char names[] = "\0.eh_frame\0.debug_frame\0.shstrtab\0.plt";
	Elf64_Shdr *headers = (Elf64_Shdr *)(image->bytes + SECTIONS);

	memcpy(image->bytes + NAMES, names, sizeof(names));
	headers[1] = (Elf64_Shdr){.sh_name = image->is_debug ? 11 : 1,
				  .sh_type = SHT_PROGBITS,
				  .sh_flags = image->is_debug ? 0 : SHF_ALLOC,
				  .sh_addr = image->is_debug ? 0 : FRAMES + IMAGE_BIAS,
				  .sh_offset = FRAMES,
				  .sh_size = image->at - FRAMES};
	headers[2] = (Elf64_Shdr){
		.sh_name = 24, .sh_type = SHT_STRTAB, .sh_offset = NAMES, .sh_size = sizeof(names)};
	headers[3] = (Elf64_Shdr){.sh_name = 34,
				  .sh_type = SHT_PROGBITS,
				  .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
				  .sh_addr = STUBS + IMAGE_BIAS,
				  .sh_offset = STUBS,
				  .sh_size = image->nr_stub_bytes};
	memcpy(image->bytes + STUBS, image->stubs, sizeof(image->stubs));
	header->e_shoff = SECTIONS;
	header->e_shentsize = sizeof(Elf64_Shdr);
	header->e_shnum = 4;
	header->e_shstrndx = 2;
}

static inline void image_end(struct cfi_image *image)
{
	Elf64_Ehdr *header = (Elf64_Ehdr *)image->bytes;

	*header = (Elf64_Ehdr){.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
					   ELFDATA2LSB, EV_CURRENT},
			       .e_type = ET_DYN,
			       .e_machine = image->machine,
			       .e_version = EV_CURRENT,
			       .e_entry = image->entry,
			       .e_ehsize = sizeof(*header)};
	write_program_headers(image, header);
	if (!image->is_debug)
		write_eh_frame_hdr(image);
	if (!image->without_sections)
		write_sections(image, header);
}

#endif
