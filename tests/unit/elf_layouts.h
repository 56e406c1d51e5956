/* SPDX-License-Identifier: GPL-2.0-only */
/* ELF files of every layout, built in the test's directory. */
#ifndef TOPSTACKS_TESTS_ELF_LAYOUTS_H
#define TOPSTACKS_TESTS_ELF_LAYOUTS_H

#include <fcntl.h>
#include <sys/stat.h>

#include "expect.h"
#include "own_object.h"
#include "scratch.h"

/* Each has its place in a test below; marker's bytes are found by searching the file. */
static const char source[] =
	"__asm__(\".text\\n\"\n"
	"\".globl marker\\n.type marker, @function\\nmarker:\\n\"\n"
	"\".ascii \\\"topstacks marker\\\"\\n.size marker, .-marker\\n\"\n"
	"\".balign 64\\n\"\n"
	"\".globl assembled\\nassembled:\\nnop\\nnop\\n\"\n"
	"\".balign 64\\n\"\n"
	"\".type unsized, @function\\nunsized:\\nnop\\n.balign 64\\n\"\n"
	"\".globl outer\\n.type outer, @function\\nouter:\\nnop\\nnop\\n\"\n"
	"\".globl label\\nlabel:\\nnop\\n\"\n"
	"\".globl inner\\n.type inner, @function\\ninner:\\nnop\\n.size inner, .-inner\\n\"\n"
	"\"nop\\n.size outer, .-outer\\n\"\n"
	"\".balign 64\\n\"\n"
	"\"$mapping:\\nnop\\nnop\\n.balign 64\\n\");\n"
	"int number = 1;\n"
	"__attribute__((noinline)) static int local_one(int x) { return x * 3 + number; }\n"
	"__attribute__((noinline)) int global_one(int x) { return local_one(x) + 1; }\n"
	"__attribute__((noinline)) int __under_one(int x) { return x + number; }\n"
	"int bare_one(int) __attribute__((alias(\"__under_one\")));\n"
	"int aa_weak_one(int) __attribute__((weak, alias(\"__under_one\")));\n"
	"int main(void) { return global_one(2) + __under_one(1); }\n"
	"void _start_here(void) { for (;;) main(); }\n";

struct elf_layout {
	const char *name;
	const char *flags;
};

static const struct elf_layout layouts[] = {
	{"pie", "-pie -fPIE"},
	{"no_pie", "-no-pie -fno-pie"},
	{"shared.so", "-shared -fPIC"},
	{"separate", "-no-pie -fno-pie -Wl,-z,separate-code"},
	{"together", "-pie -fPIE -Wl,-z,noseparate-code"},
	{"far_text", "-no-pie -fno-pie -Wl,-Ttext-segment=0x10000000"},
	{"odd_text", "-nostdlib -static -no-pie -fno-pie -Wl,-e,_start_here -Wl,-Ttext=0x7654340"},
	{"big_pages", "-pie -fPIE -Wl,-z,max-page-size=0x200000"},
	{"bits32", "-m32 -nostdlib -static -no-pie -fno-pie -Wl,-e,_start_here"},
	{0},
};

static inline void build_all(void)
{
	const struct elf_layout *layout;

	scratch_create();
	scratch_write("source.c", source);
	for (layout = layouts; layout->name; layout++)
		scratch_run("cc -O1 -Wl,--build-id=sha1 %s -o %s source.c", layout->flags,
			    layout->name);
	scratch_run("cp shared.so stripped.so && strip stripped.so");
	scratch_run("cc -c -o object.o source.c && ar rcs archive.a object.o");
}

/* Debug files are looked for in our own /usr/lib/debug only. */
static inline int read_descriptor(int fd, struct object **object)
{
	return read_object(&(struct debug_places){.fd = fd, .path = "", .root = -1}, object);
}

static inline char *read_bytes(const char *path, size_t *bytes)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat status;
	char *text;

	fstat(fd, &status);
	*bytes = (size_t)status.st_size;
	text = malloc(*bytes + 1);
	EXPECT_EQ(read(fd, text, *bytes), status.st_size);
	close(fd);
	return text;
}

#endif
