/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The one reader of ELF files: sections, segments and notes of a file that nobody vouches for, each
 * held against the file and against bounds before it is read. Names, unwind tables and debug files
 * are all found through it; only DWARF itself is read by libdw, in a process of its own.
 */
#ifndef TOPSTACKS_ELF_FILE_H
#define TOPSTACKS_ELF_FILE_H

#include <gelf.h>
#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
	uint64_t left_bytes; /* of what will be read at most */
	size_t nr_sections, nr_segments;
	const Elf_Data *names; /* of sections; NULL: none */
	void *image;	       /* ours; NULL: a file */
	bool lacks_memory;     /* something was not read, as there was no memory for it */
};

struct elf_section {
	Elf_Scn *handle; /* NULL: none */
	size_t index;
	GElf_Shdr header;
};

/*
 * Nothing is mapped, so a file that is cut meanwhile is a short read. fd is the caller's and must
 * stay open. 0; -ENOEXEC: not an ELF file; -ENOMEM.
 */
int elf_file__open(struct elf_file *file, int fd);

/* The same of an image in memory that malloc() made: it takes that, also if it fails. */
int elf_file__open_memory(struct elf_file *file, void *image, size_t bytes);

/* Of one that was opened, or all zeros. */
void elf_file__close(struct elf_file *file);

/* The first section of a name or a type that has contents. */
bool elf_file__find(const struct elf_file *file, const char *name, struct elf_section *section);
bool elf_file__find_type(const struct elf_file *file, GElf_Word type, struct elf_section *section);
bool elf_file__section(const struct elf_file *file, size_t index, struct elf_section *section);

/* Its name begins so. */
bool elf_file__has_prefix(const struct elf_file *file, const struct elf_section *section,
			  const char *prefix);

/*
 * Its contents, decompressed; they live as long as the file is open. NULL: it is not what its
 * header says, or larger than anybody's, or all that was read is.
 */
Elf_Data *elf_file__data(struct elf_file *file, const struct elf_section *section);

/* How many bytes elf_file__data would give: of a compressed section, what its header claims. */
uint64_t elf_file__section_bytes(const struct elf_file *file, const struct elf_section *section);

/* A header of the program's, by number. */
bool elf_file__segment(const struct elf_file *file, size_t index, GElf_Phdr *segment);

/*
 * Where the code of an address is in the file. *left: bytes that its segment has from there on. False: no
 * segment with code has it.
 */
bool elf_file__find_code(const struct elf_file *file, uint64_t address, uint64_t *offset,
			 uint64_t *left);

/* Bytes of the file as they are, as long as it is open. NULL: they are not there, or too many. */
const void *elf_file__bytes(struct elf_file *file, uint64_t offset, uint64_t nr_bytes);

/*
 * Calls on_relocation for what the dynamic loader will do, until that returns false. Those without
 * addends, which neither x86-64 nor aarch64 has, are left out.
 */
void elf_file__each_relocation(struct elf_file *file,
			       bool (*on_relocation)(void *context, const GElf_Rela *relocation),
			       void *context);

/* From notes in segments, or, where a debug file lacks these, in sections. */
void elf_file__build_id(const struct elf_file *file, struct build_id *id);

bool build_id__equals(const struct build_id *a, const struct build_id *b);

/* In lower-case hex; "" if there is none. */
void build_id__format(const struct build_id *id, char text[BUILD_ID_TEXT_SIZE]);

#endif
