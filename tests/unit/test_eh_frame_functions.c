// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions without a name in stripped programs agree with nm of the same program before; and some
 * records lie.
 */
#include "elf/symbols.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <sys/stat.h>

#include "expect.h"
#include "image_file.h"
#include "object_file.h"
#include "scratch.h"

static const char source[] =
	"#include <stdio.h>\n"
	"__asm__(\".text\\n.globl label\\nlabel:\\n.cfi_startproc\\nnop\\nnop\\nret\\n\"\n"
	"	\".cfi_endproc\\n.balign 64\\n\");\n"
	"__attribute__((noinline)) static int hidden(int x) { return x * 3 + getchar(); }\n"
	"__attribute__((noinline)) static int other(int x) { return hidden(x) / 3 + getchar(); }\n"
	"__attribute__((noinline, cold)) static int rare(int x) { return puts(\"\") + other(x); }\n"
	"__attribute__((noinline)) int shown(int x) { return x > 99 ? rare(x) : other(x) + 1; }\n"
	"__attribute__((noinline)) int exported(int x) { return shown(x) + hidden(x); }\n"
	"int main(int argc, char **argv) { (void)argv; return exported(argc) + other(argc); }\n";

static const struct program_layout {
	const char *name;
	const char *flags;
	size_t nr_functions; /* of ours without a name, at least */
} layouts[] = {
	{"pie", "-pie -fPIE", 6},
	{"no_pie", "-no-pie -fno-pie", 6},
	{"large", "-no-pie -fno-pie -mcmodel=large", 6},
	{"library.so", "-shared -fPIC -fno-semantic-interposition", 3},
	{"rdynamic", "-rdynamic", 3},
	{"gold", "-fuse-ld=gold", 6},
	{"static", "-static -no-pie", 500},
	{"static_pie", "-static-pie", 500},
	{0},
};

/* ---- functions by nm ---- */

struct function {
	unsigned long start, size;
};

#define MAX_FUNCTIONS 10000

static struct function functions[MAX_FUNCTIONS];
static size_t nr_functions;

static void read_functions(const char *name)
{
	char command[512], line[512];
	FILE *nm;

	snprintf(command, sizeof(command), "nm -S --defined-only '%s' | grep -E ' [tTiWw] '",
		 scratch_path(name));
	nm = popen(command, "r");
	for (nr_functions = 0; nr_functions < MAX_FUNCTIONS && fgets(line, sizeof(line), nm);) {
		struct function *function = &functions[nr_functions];

		*function = (struct function){0};
		nr_functions += sscanf(line, "%lx %lx", &function->start, &function->size) >= 1;
	}
	pclose(nm);
	EXPECT(nr_functions >= 6 && nr_functions < MAX_FUNCTIONS);
}

/* How many bytes after the address a function begins; many: none near. */
static unsigned long distance_to_start(unsigned long address)
{
	unsigned long least = ULONG_MAX;

	for (size_t i = 0; i < nr_functions; i++)
		if (functions[i].start - address < least)
			least = functions[i].start - address;
	return least;
}

/* Returns the address of a section, as readelf has it. */
static unsigned long start_of_section(const char *file, const char *section)
{
	char command[512], line[64] = "";
	FILE *readelf;

	snprintf(command, sizeof(command),
		 "readelf -SW '%s' | sed -n 's/.* \\%s  *PROGBITS  *\\([0-9a-f]*\\) .*/\\1/p'",
		 scratch_path(file), section);
	readelf = popen(command, "r");
	if (!fgets(line, sizeof(line), readelf))
		line[0] = '\0';
	pclose(readelf);
	return strtoul(line, NULL, 16);
}

/* ---- stripped programs ---- */

/*
 * Each start that is found is one of a function. Some functions of libc, written by hand, are
 * described from the padding before them on. The stubs, which are before .text, are described, too.
 */
static size_t check_starts(const struct object *object, const char *name)
{
	const unsigned long text = start_of_section(name, ".text");
	struct found_symbol found;
	size_t nr = 0, nr_padded = 0;

	EXPECT(text > 0);
	for (unsigned long address = text; address < text + (1 << 20); address++) {
		if (!symbol_table__find(object->table, address, &found) || *found.name ||
		    found.start != address)
			continue;
		EXPECT(distance_to_start(address) < 16);
		nr_padded += distance_to_start(address) > 0;
		nr++;
	}
	EXPECT(nr_padded <= nr / 100);
	return nr;
}

/*
 * Both ends of a function are in the function that is found at its start, or have no start at all.
 */
static size_t check_ends(const struct object *object)
{
	struct found_symbol found;
	size_t nr = 0;

	for (size_t i = 0; i < nr_functions; i++) {
		const struct function *function = &functions[i];

		if (!function->size ||
		    !symbol_table__find(object->table, function->start, &found) ||
		    found.start != function->start || *found.name)
			continue;
		EXPECT(symbol_table__find(object->table, function->start + function->size - 1,
					  &found));
		EXPECT_EQ(found.start, function->start);
		nr++;
	}
	return nr;
}

static void check_layout(const struct program_layout *layout)
{
	struct object *object;
	char stripped[64];

	snprintf(stripped, sizeof(stripped), "%s.stripped", layout->name);
	scratch_run("cc -O2 %s -Wl,--build-id -o %s source.c && strip -o %s %s", layout->flags,
		    layout->name, stripped, layout->name);
	read_functions(layout->name);
	object = read_file(scratch_path(stripped));
	EXPECT(check_starts(object, layout->name) >= layout->nr_functions);
	EXPECT(check_ends(object) >= layout->nr_functions - 1); /* without label */
	free_object(object);
}

static void test_stripped(void)
{
	for (const struct program_layout *layout = layouts; layout->name; layout++)
		check_layout(layout);
}

/* How many functions without a name there are. */
static size_t count_unnamed(const struct object *object)
{
	struct found_symbol found;
	size_t nr = 0;

	for (unsigned long address = 0; address < 1 << 20; address++)
		nr += symbol_table__find(object->table, address, &found) && !*found.name &&
		      found.start == address;
	return nr;
}

/* A file with all its symbols, or with a debug file at hand, has no function without a name. */
static void test_complete(void)
{
	struct object *object = read_file(scratch_path("pie"));

	EXPECT_EQ(count_unnamed(object), 0);
	EXPECT_STR(name_at(object, start_of_section("pie", ".plt")), NULL);
	free_object(object);
}

static bool has_name(const struct object *object, const char *name)
{
	for (unsigned long address = 0; address < 1 << 20; address++) {
		const char *found = name_at(object, address);

		if (found && !strcmp(found, name))
			return true;
	}
	return false;
}

static void expect_answer(uint64_t max_bytes, int expected, bool has_unnamed)
{
	struct debug_places places = {.path = "", .root = -1};
	const struct debug_candidates offers = offers_of(&places);
	const int fd = open(scratch_path("rdynamic.stripped"), O_RDONLY | O_CLOEXEC);
	const int answer = memfd_create("answer", MFD_CLOEXEC);
	const struct object_request request = {.max_bytes = max_bytes};
	struct object *object = NULL;

	EXPECT_EQ(object__read(fd, &offers, answer, &request), expected);
	if (!expected) {
		open_answer(answer, &object);
		EXPECT_EQ(count_unnamed(object) > 0, has_unnamed);
		EXPECT(has_name(object, "exported"));
		free_object(object);
	}
	close(answer);
	close(fd);
}

/* Where there is no room for all of them, those with names stay. */
static void test_little_room(void)
{
	struct object *object = read_file(scratch_path("rdynamic.stripped"));
	const size_t head_bytes = sizeof(struct object_header) +
				  object->header->nr_segments * sizeof(struct object_segment);
	const size_t nr_bytes = head_bytes + symbol_table__image_bytes(object->table);

	free_object(object);
	expect_answer(nr_bytes, 0, true);
	expect_answer(nr_bytes - 1, 0, false);
	expect_answer(head_bytes, -EFBIG, false);
}

/* ---- records that lie ---- */

struct framed_image {
	unsigned char *bytes;
	size_t nr_bytes;
	uint32_t *frames; /* .eh_frame, in words */
	size_t nr_words;
	size_t fde; /* index of the words of the last record but one; its CIE is the first */
	uint64_t code_start, code_end;
};

static void find_parts(struct framed_image *image)
{
	const Elf64_Ehdr *header = (void *)image->bytes;
	const Elf64_Phdr *segments = (void *)(image->bytes + header->e_phoff);
	const Elf64_Shdr *sections = (void *)(image->bytes + header->e_shoff);
	const char *names = (char *)image->bytes + sections[header->e_shstrndx].sh_offset;

	for (int i = 0; i < header->e_shnum; i++)
		if (!strcmp(names + sections[i].sh_name, ".eh_frame")) {
			image->frames = (void *)(image->bytes + sections[i].sh_offset);
			image->nr_words = sections[i].sh_size / 4;
		}
	for (int i = 0; i < header->e_phnum; i++)
		if (segments[i].p_type == PT_LOAD && segments[i].p_flags & PF_X) {
			image->code_start = segments[i].p_vaddr;
			image->code_end = segments[i].p_vaddr + segments[i].p_memsz;
		}
}

static struct framed_image read_image(const char *name)
{
	const int fd = open(scratch_path(name), O_RDONLY | O_CLOEXEC);
	struct framed_image image = {0};
	struct stat status;
	size_t at = 0, next;

	EXPECT_EQ(fstat(fd, &status), 0);
	image.nr_bytes = (size_t)status.st_size;
	image.bytes = malloc(image.nr_bytes);
	EXPECT_EQ(read(fd, image.bytes, image.nr_bytes), status.st_size);
	close(fd);
	find_parts(&image);
	for (; at + 2 < image.nr_words && image.frames[at]; at = next) {
		next = at + 1 + image.frames[at] / 4;
		if (image.frames[next])
			image.fde = at;
	}
	return image;
}

/* How many functions without a name there are; all of them are in the code. */
static size_t count_in_image(const struct framed_image *image)
{
	struct object *object = NULL;
	struct found_symbol found;
	size_t nr = 0;

	EXPECT_EQ(read_object_of(image->bytes, image->nr_bytes, &object), 0);
	nr = count_unnamed(object);
	EXPECT(!symbol_table__find(object->table, image->code_end, &found));
	for (uint64_t address = 0; address < image->code_start; address++)
		EXPECT(!symbol_table__find(object->table, address, &found));
	free_object(object);
	return nr;
}

/* The functions that are found if a word of the last record but one is something else. */
static size_t count_with(struct framed_image *image, size_t word, uint32_t value)
{
	uint32_t *at = &image->frames[image->fde + word];
	const uint32_t kept = *at;
	size_t nr;

	*at = value;
	nr = count_in_image(image);
	*at = kept;
	return nr;
}

static void test_records_that_lie(void)
{
	struct framed_image image = read_image("pie.stripped");
	const uint32_t *fde = &image.frames[image.fde];
	const size_t nr_known = count_in_image(&image);

	EXPECT(nr_known >= 7);
	EXPECT(fde[1] > 8);
	EXPECT_EQ(count_with(&image, 1, 4), nr_known - 1);	    /* itself for a CIE */
	EXPECT_EQ(count_with(&image, 1, fde[1] + 8), nr_known - 1); /* one before all records */
	EXPECT_EQ(count_with(&image, 1, 0), nr_known - 1);	    /* it is a CIE */
	EXPECT_EQ(count_with(&image, 2, fde[2] + 0x100000), nr_known - 1);
	EXPECT_EQ(count_with(&image, 2, 0), nr_known - 1); /* itself for code */
	EXPECT_EQ(count_with(&image, 3, 0), nr_known - 1);
	EXPECT_EQ(count_with(&image, 3, UINT32_MAX), nr_known); /* it ends where code does */
	EXPECT_EQ(count_with(&image, 0, 0x10000000), nr_known - 2);
	EXPECT_EQ(count_with(&image, 0, UINT32_MAX), nr_known - 2);
	free(image.bytes);
}

/* A linker leaves nothing, or zeros, in place of the records that it drops. */
static void test_gap(void)
{
	struct framed_image image = read_image("pie.stripped");
	const size_t nr_known = count_in_image(&image);
	uint32_t *fde = &image.frames[image.fde];

	memset(fde, 0, fde[0] + 4);
	EXPECT_EQ(count_in_image(&image), nr_known - 1);
	free(image.bytes);
}

/* The CIE of all but _start: "zR", 1, -8, 16, 1, 1b */
static void test_common_part(void)
{
	struct framed_image image = read_image("pie.stripped");
	unsigned char *cie =
		(unsigned char *)&image.frames[image.fde + 1] - image.frames[image.fde + 1];

	EXPECT(!memcmp(cie + 8, "\1zR\0\1\x78\x10\1\x1b", 9));
	cie[10] = 'X';
	EXPECT_EQ(count_in_image(&image), 1);
	cie[10] = 'R';
	cie[8] = 2;
	EXPECT_EQ(count_in_image(&image), 1);
	cie[8] = 1;
	cie[16] = 0x3b; /* relative to data */
	EXPECT_EQ(count_in_image(&image), 1);
	cie[16] = 0xff;
	EXPECT_EQ(count_in_image(&image), 1);
	cie[16] = 0x1b;
	EXPECT(count_in_image(&image) > 1);
	free(image.bytes);
}

/* Whichever byte is wrong, the functions that are found lie in the code. */
static void test_each_byte(void)
{
	struct framed_image image = read_image("pie.stripped");
	unsigned char *bytes = (unsigned char *)image.frames;

	for (size_t i = 0; i < 4 * image.nr_words; i++) {
		bytes[i] ^= 0xff;
		count_in_image(&image);
		bytes[i] ^= 0xff;
	}
	free(image.bytes);
}

int main(void)
{
	static const struct test tests[] = {
		{"stripped programs agree with nm", test_stripped},
		{"programs with all symbols", test_complete},
		{"little room", test_little_room},
		{"records that lie", test_records_that_lie},
		{"a gap", test_gap},
		{"what records have in common", test_common_part},
		{"each byte", test_each_byte},
		{0},
	};

	scratch_create();
	scratch_write("source.c", source);
	return run_tests("eh_frame_functions", tests);
}
