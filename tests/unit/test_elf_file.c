// SPDX-License-Identifier: GPL-2.0-only
/* Files that are no programs, and programs that lie, byte by byte. */
#include "elf/file.h"

#include <elf.h>
#include <errno.h>
#include <stdint.h>

#include "elf/symbol_table.h"
#include "elf_layouts.h"
#include "image_file.h"

/* ---- what is no program ---- */

static int try_file(const char *path)
{
	struct object *object = NULL;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int code = read_descriptor(fd, &object);

	close(fd);
	if (!code)
		free_object(object);
	return code;
}

static void test_not_elf(void)
{
	scratch_write("empty", "");
	scratch_write("text", "#!/bin/sh\nexit 0\n");
	scratch_write("magic", "\177ELF");
	EXPECT_EQ(try_file(scratch_path("empty")), -ENOEXEC);
	EXPECT_EQ(try_file(scratch_path("text")), -ENOEXEC);
	EXPECT_EQ(try_file(scratch_path("magic")), -ENOEXEC);
	EXPECT_EQ(try_file(scratch_path("object.o")), -ENOEXEC);
	EXPECT_EQ(try_file(scratch_path("archive.a")), -ENOEXEC);
	EXPECT_EQ(try_file(scratch_directory), -ENOEXEC);
	EXPECT_EQ(try_file("/dev/null"), -ENOEXEC);
}

/* ---- what lies ---- */

static void use(const struct object *object)
{
	static const uint64_t addresses[] = {0,		1,	   0x1000,    0x401000,
					     0x8049000, 0x7654340, UINT64_MAX};
	uint64_t address;
	struct found_symbol found;
	size_t i;

	for (i = 0; i < sizeof(addresses) / sizeof(addresses[0]); i++) {
		object__address(object, addresses[i], &address);
		if (symbol_table__find(object->table, addresses[i], &found))
			EXPECT(strlen(found.name) < 4096);
	}
	EXPECT(object__memory_bytes(object) < 1 << 20);
	EXPECT(strlen(object->header->build_id) <= 2 * BUILD_ID_MAX_BYTES);
}

static void try_memory(const char *bytes, size_t nr)
{
	struct object *object = NULL;

	if (read_object_of(bytes, nr, &object) == 0) {
		use(object);
		free_object(object);
	}
}

static void try_descriptor(int fd)
{
	struct object *object = NULL;

	if (read_descriptor(fd, &object) == 0) {
		use(object);
		free_object(object);
	}
}

static void check_flipped(const char *name)
{
	static const unsigned char flips[] = {0x01, 0x80, 0xff};
	size_t bytes, i, flip;
	char *text = read_bytes(scratch_path(name), &bytes);
	int fd = open(scratch_path(name), O_RDWR | O_CLOEXEC);

	for (i = 0; i < bytes; i++) {
		for (flip = 0; flip < sizeof(flips); flip++) {
			text[i] ^= (char)flips[flip];
			try_memory(text, bytes);
			EXPECT_EQ(pwrite(fd, text + i, 1, (off_t)i), 1);
			try_descriptor(fd);
			text[i] ^= (char)flips[flip];
		}
		EXPECT_EQ(pwrite(fd, text + i, 1, (off_t)i), 1);
	}
	close(fd);
	free(text);
}

static void check_truncated(const char *name)
{
	size_t bytes, length;
	char *text = read_bytes(scratch_path(name), &bytes);
	int fd = open(scratch_path(name), O_RDWR | O_CLOEXEC);

	for (length = bytes; length > 0; length--) {
		char *copy = malloc(length); /* so that a byte too far is seen */

		memcpy(copy, text, length);
		try_memory(copy, length);
		free(copy);
		EXPECT_EQ(ftruncate(fd, (off_t)length), 0);
		try_descriptor(fd);
	}
	close(fd);
	free(text);
}

static void build_small(const char *name, const char *flags)
{
	scratch_write("small.c", "int f(void) { return 1; }\nint g(void) { return 2; }\n"
				 "void _start(void) { for (;;) f(); }\n");
	scratch_run("cc -O1 -nostdlib %s -fno-asynchronous-unwind-tables -Wl,--build-id "
		    "-Wl,-z,noseparate-code -Wl,-z,max-page-size=64 -o %s small.c",
		    flags, name);
}

static void test_flipped(void)
{
	build_small("small", "-static -no-pie -fno-pie");
	build_small("small.so", "-shared -fPIC");
	build_small("small32", "-m32 -static -no-pie -fno-pie");
	check_flipped("small");
	check_flipped("small.so");
	check_flipped("small32");
}

static void test_truncated(void)
{
	build_small("small", "-static -no-pie -fno-pie");
	check_truncated("small");
}

/* Sections that claim more than there is, in a file of 64 GiB that holds nothing. */
static void test_sparse(void)
{
	size_t bytes;
	char *text = read_bytes(scratch_path("pie"), &bytes);
	int fd = open(scratch_path("pie"), O_RDWR | O_CLOEXEC);

	if (ftruncate(fd, 1LL << 36) == 0)
		try_descriptor(fd);
	EXPECT_EQ(ftruncate(fd, (off_t)bytes), 0);
	close(fd);
	free(text);
	EXPECT_EQ(try_file(scratch_path("pie")), 0);
}

/* Sections that overlap: each is all right, together they are more than there is. */
static void test_overlapping_sections(void)
{
	enum { NR_CLAIMS = 3, CLAIMED = 300 << 20 };
	size_t bytes, i;
	char *text = read_bytes(scratch_path("pie"), &bytes);
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)text;
	struct elf_section section;
	struct elf_file file;
	int fd, nr_read = 0;

	for (i = 1; i <= NR_CLAIMS; i++) {
		Elf64_Shdr *claim = (Elf64_Shdr *)(text + header->e_shoff) + i;

		claim->sh_type = SHT_RELA;
		claim->sh_offset = 0;
		claim->sh_size = CLAIMED;
	}
	fd = open(scratch_path("greedy"), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	EXPECT_EQ(write(fd, text, bytes), bytes);
	EXPECT_EQ(ftruncate(fd, 1LL << 30), 0);
	EXPECT_EQ(elf_file__open(&file, fd), 0);
	for (i = 1; i <= NR_CLAIMS; i++)
		nr_read += elf_file__section(&file, i, &section) &&
			   elf_file__data(&file, &section) != NULL;
	EXPECT_EQ(nr_read, 2); /* 768 MiB, as docs/symbols.md has it */
	elf_file__close(&file);
	close(fd);
	free(text);
}

int main(void)
{
	static const struct test tests[] = {
		{"no program", test_not_elf},
		{"every byte flipped", test_flipped},
		{"every length", test_truncated},
		{"sparse file", test_sparse},
		{"overlapping sections", test_overlapping_sections},
		{0},
	};

	build_all();
	return run_tests("elf_file", tests);
}
