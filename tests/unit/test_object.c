// SPDX-License-Identifier: GPL-2.0-only
/* ELF files of every layout, built here, against what nm, addr2line and readelf say of them. */
#include "elf/object.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <gnu/libc-version.h>
#include <stdint.h>

#include "elf_layouts.h"
#include "image_file.h"
#include "object_file.h"

/* /proc/self is another file for the tools we ask. */
static const char *own_path(void)
{
	static char path[4096];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);

	path[length > 0 ? length : 0] = '\0';
	return path;
}

/* ---- what nm says ---- */

struct nm_symbol {
	uint64_t start, size; /* size 0: none */
	char type;
	char name[512];
};

static size_t read_nm(const char *path, const char *flags, struct nm_symbol **known)
{
	char command[512], line[1024];
	size_t nr = 0, capacity = 300000;
	FILE *nm;

	*known = malloc(capacity * sizeof(**known));
	snprintf(command, sizeof(command),
		 "nm --without-symbol-versions -S %s '%s' | grep -i ' [tTwWi] '", flags, path);
	nm = popen(command, "r");
	while (nr < capacity && fgets(line, sizeof(line), nm)) {
		struct nm_symbol *next = *known + nr;

		next->size = 0;
		nr += sscanf(line, "%lx %lx %c %511s", &next->start, &next->size, &next->type,
			     next->name) == 4 ||
		      (next->size = 0,
		       sscanf(line, "%lx %c %511s", &next->start, &next->type, next->name) == 3);
	}
	pclose(nm);
	return nr;
}

static const struct nm_symbol *find_known(const struct nm_symbol *known, size_t nr,
					  const char *name)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (!strcmp(known[i].name, name))
			return &known[i];
	return NULL;
}

static bool is_known(const struct nm_symbol *known, size_t nr, const char *name, uint64_t start)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (known[i].start == start && !strcmp(known[i].name, name))
			return true;
	return false;
}

/* Each sized symbol of nm is found, by its name or another one of the same place. */
static void check_against_nm(const char *path, const char *flags, size_t at_least)
{
	struct object *object = read_file(path);
	struct nm_symbol *known;
	size_t nr = read_nm(path, flags, &known);
	size_t nr_sized = 0, nr_wrong = 0, i;
	struct found_symbol found;

	for (i = 0; object && i < nr; i++) {
		const bool is_sized = known[i].size > 0;

		nr_sized += is_sized;
		if (!is_sized)
			continue;
		if (!symbol_table__find(object->table, known[i].start, &found) ||
		    found.start != known[i].start ||
		    !is_known(known, nr, found.name, known[i].start)) {
			fprintf(stderr, "%s: nm has %s at %lx\n", path, known[i].name,
				known[i].start);
			nr_wrong++;
		}
		if (!symbol_table__find(object->table, known[i].start + known[i].size - 1, &found))
			nr_wrong++;
	}
	EXPECT_EQ(nr_wrong, 0);
	EXPECT(nr_sized >= at_least);
	free(known);
	free_object(object);
}

static void test_nm(void)
{
	const struct elf_layout *layout;
	Dl_info info;

	for (layout = layouts; layout->name; layout++)
		check_against_nm(scratch_path(layout->name), "", 7);
	check_against_nm(scratch_path("stripped.so"), "-D", 6);
	EXPECT(dladdr((void *)(uintptr_t)symbol_table__find, &info)); /* of topstacks itself */
	check_against_nm(info.dli_fname, "", 1000);
	EXPECT(dladdr((void *)(uintptr_t)gnu_get_libc_version, &info));
	check_against_nm(info.dli_fname, "-D", 1000);
	if (dladdr(dlsym(RTLD_DEFAULT, "elf_begin"), &info))
		check_against_nm(info.dli_fname, "-D", 50);
}

/* ---- which symbol ---- */

static void check_choice(const char *name)
{
	const char *path = scratch_path(name);
	struct object *object = read_file(path);
	struct nm_symbol *known;
	size_t nr = read_nm(path, "", &known);
	uint64_t at;

	at = find_known(known, nr, "marker")->start;
	EXPECT_STR(name_at(object, at), "marker");
	EXPECT_STR(name_at(object, at + 15), "marker");
	EXPECT_STR(name_at(object, at + 16), NULL); /* padding up to the next one */
	at = find_known(known, nr, "assembled")->start;
	EXPECT_STR(name_at(object, at), "assembled"); /* without type and size */
	EXPECT_STR(name_at(object, at + 63), "assembled");
	at = find_known(known, nr, "unsized")->start;
	EXPECT_STR(name_at(object, at), "unsized");
	EXPECT_STR(name_at(object, at + 63), "unsized");
	at = find_known(known, nr, "outer")->start;
	EXPECT_STR(name_at(object, at), "outer");
	EXPECT_STR(name_at(object, at + 2), "outer"); /* label */
	EXPECT_STR(name_at(object, at + 3), "inner");
	EXPECT_STR(name_at(object, at + 4), "outer");
	EXPECT_STR(name_at(object, at + 5), NULL);
	EXPECT_STR(name_at(object, at + 64), NULL); /* $mapping */
	at = find_known(known, nr, "local_one")->start;
	EXPECT_STR(name_at(object, at), "local_one");
	at = find_known(known, nr, "__under_one")->start;
	EXPECT_STR(name_at(object, at), "bare_one"); /* global, fewest underscores */
	EXPECT_STR(name_at(object, find_known(known, nr, "main")->start), "main");
	EXPECT_STR(name_at(object, 0), NULL);
	EXPECT_STR(name_at(object, UINT64_MAX), NULL);
	free(known);
	free_object(object);
}

static void test_choice(void)
{
	const struct elf_layout *layout;

	for (layout = layouts; layout->name; layout++)
		check_choice(layout->name);
}

static bool is_checked(const struct nm_symbol *known)
{
	return known->size > 1 && strcmp(known->name, "outer");
}

/*
 * Inside of functions addr2line and we agree, on real programs and on ours. Only a label in the
 * middle of a function that has a size is a function to it, and not to us.
 */
static void check_against_addr2line(const char *path)
{
	struct object *object = read_file(path);
	struct nm_symbol *known;
	size_t nr = read_nm(path, "", &known), nr_checked = 0, i;
	char command[512], line[1024];
	FILE *input = fopen(scratch_path("addresses"), "w");
	FILE *output;

	for (i = 0; i < nr && i < 500; i++)
		if (is_checked(&known[i]))
			fprintf(input, "0x%lx\n", known[i].start + known[i].size / 2);
	fclose(input);
	snprintf(command, sizeof(command), "addr2line -f -e '%s' < '%s'", path,
		 scratch_path("addresses"));
	output = popen(command, "r");
	for (i = 0; i < nr && i < 500; i++) {
		const uint64_t address = known[i].start + known[i].size / 2;
		const char *name;

		if (!is_checked(&known[i]))
			continue;
		EXPECT(fgets(line, sizeof(line), output));
		line[strcspn(line, "@\n")] = '\0';
		name = name_at(object, address);
		/* Another name of the same function is as good. */
		if (!name || strcmp(name, line)) {
			const struct nm_symbol *other = find_known(known, nr, line);
			struct found_symbol found = {0};

			symbol_table__find(object->table, address, &found);
			if (!other || other->start != found.start)
				fprintf(stderr, "%s: %lx is %s, addr2line: %s\n", path, address,
					name ? name : "nothing", line);
			EXPECT(other && other->start == found.start);
		}
		EXPECT(fgets(line, sizeof(line), output)); /* the line number */
		nr_checked++;
	}
	pclose(output);
	EXPECT(nr_checked >= 5);
	free(known);
	free_object(object);
}

static void test_addr2line(void)
{
	check_against_addr2line(scratch_path("pie"));
	check_against_addr2line(scratch_path("no_pie"));
	check_against_addr2line(scratch_path("far_text"));
	/* With DWARF it would name inlined functions. */
	scratch_run("strip -g -o self '%s'", own_path());
	check_against_addr2line(scratch_path("self"));
}

/* ---- segments ---- */

static void check_offset(const char *name)
{
	const char *path = scratch_path(name);
	struct object *object = read_file(path);
	struct nm_symbol *known;
	size_t nr = read_nm(path, "", &known);
	uint64_t address = 0, offset;
	size_t bytes;
	char *text = read_bytes(path, &bytes);
	char *found = memmem(text, bytes, "topstacks marker", 16);

	offset = (uint64_t)(found - text);
	EXPECT(found);
	EXPECT(object__address(object, offset, &address));
	EXPECT_EQ(address, find_known(known, nr, "marker")->start);
	EXPECT_STR(name_at(object, address), "marker");
	/* The end of the file is section headers, which are not loaded. */
	EXPECT(!object__address(object, bytes + 4096, &address));
	EXPECT(!object__address(object, UINT64_MAX, &address));
	free(text);
	free(known);
	free_object(object);
}

static void test_offsets(void)
{
	const struct elf_layout *layout;

	for (layout = layouts; layout->name; layout++)
		check_offset(layout->name);
}

/* ---- headers that we write ---- */

static Elf64_Phdr *code_segment(char *text)
{
	Elf64_Ehdr *header = (Elf64_Ehdr *)text;
	Elf64_Phdr *segment = (Elf64_Phdr *)(text + header->e_phoff);

	while (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X))
		segment++;
	return segment;
}

static struct object *read_memory(const char *text, size_t bytes)
{
	struct object *object = NULL;

	EXPECT_EQ(read_object_of(text, bytes, &object), 0);
	return object;
}

/* In .symtab a default version is part of the name: "v_one@@V1". A debug file has only that. */
static void test_versions(void)
{
	struct object *object;
	struct nm_symbol *known;
	Elf64_Shdr *section;
	size_t nr, bytes;
	char *text;

	scratch_write("versions.map", "V1 { global: v_one; local: *; };\n");
	scratch_write("versions.c", "__asm__(\".symver global_one, v_one@@V1\");\n"
				    "int global_one(int x) { return x; }\n");
	scratch_run("cc -shared -fPIC -Wl,--version-script=versions.map -o versions.so versions.c");
	scratch_run("nm versions.so | grep -q v_one@@V1");
	nr = read_nm(scratch_path("versions.so"), "-D", &known);
	text = read_bytes(scratch_path("versions.so"), &bytes);
	section = (Elf64_Shdr *)(text + ((Elf64_Ehdr *)text)->e_shoff);
	while (section->sh_type != SHT_DYNSYM)
		section++;
	section->sh_type = SHT_PROGBITS;
	object = read_memory(text, bytes);
	EXPECT_STR(name_at(object, find_known(known, nr, "v_one")->start), "v_one");
	free(known);
	free(text);
	free_object(object);
}

/* Segments that show the same bytes of the file; and code that starts within a page. */
static void test_segments(void)
{
	size_t bytes;
	char *text = read_bytes(scratch_path("separate"), &bytes);
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)text;
	Elf64_Phdr *code = code_segment(text), *data = (Elf64_Phdr *)(text + header->e_phoff);
	const Elf64_Phdr before = *code;
	struct object *object;
	uint64_t address = 0;

	while (data->p_type != PT_LOAD)
		data++;
	EXPECT(data < code);
	data->p_filesz = bytes;
	data->p_vaddr = 0x70000000;
	object = read_memory(text, bytes);
	EXPECT(object__address(object, before.p_offset, &address));
	EXPECT_EQ(address, before.p_vaddr);
	EXPECT(object__address(object, before.p_offset - 1, &address));
	EXPECT_EQ(address, 0x70000000 + before.p_offset - 1);
	free_object(object);

	code->p_offset += 0x10;
	code->p_vaddr += 0x10;
	code->p_filesz -= 0x10;
	object = read_memory(text, bytes);
	EXPECT(object__address(object, before.p_offset, &address));
	EXPECT_EQ(address, before.p_vaddr);
	free_object(object);
	free(text);
}

static Elf64_Sym *symbol_named(char *text, const char *name)
{
	Elf64_Ehdr *header = (Elf64_Ehdr *)text;
	Elf64_Shdr *sections = (Elf64_Shdr *)(text + header->e_shoff), *section = sections;
	Elf64_Sym *symbol;

	while (section->sh_type != SHT_SYMTAB)
		section++;
	symbol = (Elf64_Sym *)(text + section->sh_offset);
	while (strcmp(text + sections[section->sh_link].sh_offset + symbol->st_name, name))
		symbol++;
	return symbol;
}

static void test_symbols_that_lie(void)
{
	size_t bytes;
	char *text = read_bytes(scratch_path("odd_text"), &bytes);
	Elf64_Ehdr *header = (Elf64_Ehdr *)text;
	Elf64_Sym *symbol = symbol_named(text, "marker");
	const Elf64_Sym honest = *symbol;
	struct object *object;

	symbol->st_value = 0x7fff0000; /* not in its section */
	object = read_memory(text, bytes);
	EXPECT_STR(name_at(object, 0x7fff0000), NULL);
	EXPECT_STR(name_at(object, honest.st_value), NULL);
	free_object(object);
	*symbol = honest;
	symbol->st_size = 1ULL << 40; /* it ends where the section does, and hides no other */
	object = read_memory(text, bytes);
	EXPECT_STR(name_at(object, honest.st_value + 16), "marker");
	EXPECT_STR(name_at(object, 0x7fff0000), NULL);
	EXPECT_STR(name_at(object, symbol_named(text, "main")->st_value), "main");
	free_object(object);
	*symbol = honest;
	symbol->st_shndx = SHN_UNDEF;
	object = read_memory(text, bytes);
	EXPECT_STR(name_at(object, honest.st_value), NULL);
	free_object(object);
	*symbol = honest;
	symbol->st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT);
	object = read_memory(text, bytes);
	EXPECT_STR(name_at(object, honest.st_value), NULL);
	free_object(object);
	header->e_type = ET_CORE;
	EXPECT_EQ(read_object_of(text, bytes, &object), -ENOEXEC);
	free(text);
}

static void test_build_id(void)
{
	const struct elf_layout *layout;

	for (layout = layouts; layout->name; layout++) {
		struct object *object = read_file(scratch_path(layout->name));
		char expected[256] = "";
		FILE *file;

		scratch_run("readelf -n %s 2>/dev/null | sed -n 's/.*Build ID: //p' > id",
			    layout->name);
		file = fopen(scratch_path("id"), "r");
		EXPECT(fgets(expected, sizeof(expected), file));
		fclose(file);
		expected[strcspn(expected, "\n")] = '\0';
		EXPECT_EQ(strlen(expected), 40);
		EXPECT_STR(object->header->build_id, expected);
		free_object(object);
	}
	scratch_run("cc -O1 -Wl,--build-id=none -o no_id source.c");
	struct object *object = read_file(scratch_path("no_id"));
	EXPECT_STR(object->header->build_id, "");
	free_object(object);
}

static void test_entry(void)
{
	struct object *object = read_file(scratch_path("odd_text"));
	struct nm_symbol *known;
	size_t nr = read_nm(scratch_path("odd_text"), "", &known);
	const uint64_t start = find_known(known, nr, "_start_here")->start;

	EXPECT(object__is_entry(object, start));
	EXPECT(object__is_entry(object, start + 40));
	EXPECT(!object__is_entry(object, start - 1));
	EXPECT(!object__is_entry(object, start + 4096));
	free(known);
	free_object(object);
	object = read_file(scratch_path("shared.so"));
	EXPECT(!object__is_entry(object, 0));
	free_object(object);
}

int main(void)
{
	static const struct test tests[] = {
		{"agrees with nm", test_nm},
		{"agrees with addr2line", test_addr2line},
		{"which symbol", test_choice},
		{"symbol versions", test_versions},
		{"file offsets and addresses", test_offsets},
		{"segments", test_segments},
		{"symbols that lie", test_symbols_that_lie},
		{"build IDs", test_build_id},
		{"entry", test_entry},
		{0},
	};

	build_all();
	return run_tests("object", tests);
}
