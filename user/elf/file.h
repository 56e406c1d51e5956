/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The only code that reads ELF files: sections, segments and notes of an untrusted file, each
 * checked against the file's size and limits before it is read. Names, unwind tables and debug
 * files are all found by it; only DWARF itself is read by libdw, in a reader.
 */
#ifndef TOPSTACKS_ELF_FILE_H
#define TOPSTACKS_ELF_FILE_H

#include <gelf.h>
#include <libelf.h>

#include "base/common.h"

#define BUILD_ID_MAX_BYTES 64
#define BUILD_ID_TEXT_SIZE (2 * BUILD_ID_MAX_BYTES + 1)

struct build_id {
	size_t length; /* 0: none */
	unsigned char bytes[BUILD_ID_MAX_BYTES];
};

struct elf_file {
	Elf *elf;
	GElf_Ehdr header;
	uint64_t bytes;
	uint64_t left_bytes; /* bytes that may still be read */
	size_t nr_sections, nr_segments;
	const Elf_Data *names; /* of sections; NULL: none */
	void *image;	       /* owned image in memory; NULL: a file */
	bool lacks_memory;     /* a part was not read, as memory was lacking */
};

struct elf_section {
	Elf_Scn *handle; /* NULL: none */
	size_t index;
	GElf_Shdr header;
};

/*
 * Opens an ELF file. Nothing is mapped, so a file that is truncated meanwhile gives a short read.
 * fd is the caller's and must stay open. 0; -ENOEXEC: not an ELF file; -ENOMEM.
 */
int elf_file__open(struct elf_file *file, int fd);

/* The same for an image in memory from malloc(), which is taken over, also on failure. */
int elf_file__open_memory(struct elf_file *file, void *image, size_t bytes);

/* A zeroed struct is fine. */
void elf_file__close(struct elf_file *file);

/* Finds the first section of a name or type that has contents. */
bool elf_file__find(const struct elf_file *file, const char *name, struct elf_section *section);
bool elf_file__find_type(const struct elf_file *file, GElf_Word type, struct elf_section *section);
bool elf_file__section(const struct elf_file *file, size_t index, struct elf_section *section);

/* Whether the section's name begins with prefix. */
bool elf_file__has_prefix(const struct elf_file *file, const struct elf_section *section,
			  const char *prefix);

/*
 * The contents of a section, decompressed; valid while the file is open. NULL: the header is not
 * valid, or the section or all sections together exceed the limits.
 */
Elf_Data *elf_file__data(struct elf_file *file, const struct elf_section *section);

/* Bytes that elf_file__data() would return; for a compressed section, the claim of its header. */
uint64_t elf_file__section_bytes(const struct elf_file *file, const struct elf_section *section);

/* Reads a program header by number. */
bool elf_file__segment(const struct elf_file *file, size_t index, GElf_Phdr *segment);

/*
 * Finds the file offset of the code at an address. *left: bytes from there to the end of the
 * segment. False: no segment with code has the address.
 */
bool elf_file__find_code(const struct elf_file *file, uint64_t address, uint64_t *offset,
			 uint64_t *left);

/* Raw bytes of the file, valid while it is open. NULL: beyond the file, or too many. */
const void *elf_file__bytes(struct elf_file *file, uint64_t offset, uint64_t nr_bytes);

/*
 * Calls on_relocation for each relocation of the dynamic loader until it returns false. Skips
 * relocations without addends, which neither x86-64 nor aarch64 uses.
 */
void elf_file__each_relocation(struct elf_file *file,
			       bool (*on_relocation)(void *context, const GElf_Rela *relocation),
			       void *context);

/*
 * Reads the build ID from notes in segments, or in sections, as debug files lack the contents of
 * segments.
 */
void elf_file__build_id(const struct elf_file *file, struct build_id *id);

/* Finds the build ID among notes, of type ELF_T_NHDR or ELF_T_NHDR8; NULL: there are none. */
void build_id__find(Elf_Data *notes, struct build_id *id);

bool build_id__equals(const struct build_id *a, const struct build_id *b);

/* Formats in lower-case hex; "" if there is none. */
void build_id__format(const struct build_id *id, char text[BUILD_ID_TEXT_SIZE]);

#endif
