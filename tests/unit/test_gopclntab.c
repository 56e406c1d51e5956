// SPDX-License-Identifier: GPL-2.0-only
/*
 * Go's table of functions is read from programs of Go's compiler, stripped, and compared with go
 * tool nm; from tables of every version, made here byte by byte; and from tables that lie.
 */
#include "elf/symbols.h"

#include <endian.h>
#include <fcntl.h>
#include <stdint.h>

#include "expect.h"
#include "object_file.h"
#include "scratch.h"
#include "symbol_ranges.h"

/* ---- programs of Go's compiler ---- */

static const char go_source[] = "package main\n"
				"import (\"fmt\"; \"os\"; \"sort\")\n"
				"type pair[T any] struct{ left, right T }\n"
				"//go:noinline\n"
				"func (p *pair[T]) swap() { p.left, p.right = p.right, p.left }\n"
				"//go:noinline\n"
				"func spin(n int) (sum int) {\n"
				"	for i := 0; i < n; i++ { sum += i * i % 7 }\n"
				"	return\n"
				"}\n"
				"func main() {\n"
				"	p := &pair[int]{1, 2}\n"
				"	p.swap()\n"
				"	sort.Slice(os.Args, func(i, j int) bool { return i < j })\n"
				"	fmt.Println(spin(10), p)\n"
				"}\n";

/* "main.f[go.shape.int_0]" and "f.abi0" are more than the table says: "main.f[...]", "f". */
static bool means_the_same(const char *known, const char *found)
{
	const char *bracket = strchr(known, '['), *abi = strstr(known, ".abi0");
	size_t length;

	if (!found)
		return false;
	if (bracket) {
		length = (size_t)(bracket - known);
		return !strncmp(known, found, length) && !strncmp(found + length, "[...]", 5);
	}
	length = abi ? (size_t)(abi - known) : strlen(known);
	return !strncmp(known, found, length) && !found[length];
}

/* Bounds of the text are symbols too, but no functions. */
static bool is_function(const char *name)
{
	return strcmp(name, "runtime.text") && strcmp(name, "runtime.etext") && strchr(name, '.') &&
	       name[0] != '_';
}

static void check_against_nm(const char *whole, const char *stripped, size_t at_least)
{
	struct object *object = read_file(scratch_path(stripped));
	size_t nr = 0, nr_wrong = 0;
	char line[1024], name[1024], command[512], type;
	unsigned long address;
	FILE *nm;

	snprintf(command, sizeof(command), "go tool nm '%s'", scratch_path(whole));
	nm = popen(command, "r");
	while (object && fgets(line, sizeof(line), nm)) {
		if (sscanf(line, "%lx %c %1023[^\n]", &address, &type, name) != 3 ||
		    (type != 'T' && type != 't') || !is_function(name))
			continue;
		nr++;
		if (means_the_same(name, name_at(object, address)))
			continue;
		fprintf(stderr, "%s: %lx is %s, found %s\n", stripped, address, name,
			name_at(object, address));
		nr_wrong++;
	}
	pclose(nm);
	EXPECT(nr >= at_least);
	EXPECT_EQ(nr_wrong, 0);
	free_object(object);
}

static void test_go(void)
{
	static const char *const modes[] = {"exe", "pie"};
	char stripped[32];
	size_t i;

	scratch_write("main.go", go_source);
	scratch_write("go.mod", "module example\ngo 1.18\n");
	for (i = 0; i < 2; i++) {
		scratch_run("HOME=${HOME:-$PWD} GOFLAGS=-mod=mod CGO_ENABLED=0 "
			    "go build -buildmode=%s -o %s .",
			    modes[i], modes[i]);
		scratch_run("strip -o %s.stripped %s", modes[i], modes[i]);
		snprintf(stripped, sizeof(stripped), "%s.stripped", modes[i]);
		check_against_nm(modes[i], stripped, 1000);
	}
}

/* As C's linker leaves it: in the middle of another section. */
static void test_within_section(void)
{
	scratch_run("objcopy --rename-section .data.rel.ro=.somewhere "
		    "--rename-section .data.rel.ro.gopclntab=.data.rel.ro pie.stripped within");
	check_against_nm("pie", "within", 1000);
	scratch_run("objcopy --remove-section .go.buildinfo within nothing_of_go");
	struct object *object = read_file(scratch_path("nothing_of_go"));
	EXPECT_EQ(count_ranges(object->table, 0, 4 << 20), 0);
	free_object(object);
}

/* The relocation alone says where the text starts, as C's linker leaves it, too. */
static void test_unrelocated(void)
{
	static const char header[] = {'\xff', '\xff', '\xff', 0, 0, 1, 8};
	char *text, *at;
	size_t bytes;
	FILE *file;

	scratch_run("cp pie.stripped unrelocated");
	file = fopen(scratch_path("unrelocated"), "r+");
	fseek(file, 0, SEEK_END);
	bytes = (size_t)ftell(file);
	text = malloc(bytes);
	rewind(file);
	EXPECT_EQ(fread(text, 1, bytes, file), bytes);
	at = memmem(text, bytes, header, sizeof(header));
	EXPECT(at);
	fseek(file, at - 1 - text + 24, SEEK_SET);
	EXPECT_EQ(fwrite("\0\0\0\0\0\0\0", 8, 1, file), 1);
	fclose(file);
	free(text);
	check_against_nm("pie", "unrelocated", 1000);
}

/* ---- tables made here ---- */

#define TEXT	   0x401000
#define TEXT_BYTES 0x1000

/* In a program that is nothing but text. */
static const struct known_function {
	const char *name;
	uint32_t start; /* after TEXT */
} functions[] = {{"main.main", 0}, {"main.spin", 0x40}, {"runtime.mcall", 0x100}};

#define NR_FUNCTIONS 3
#define TEXT_END     0x180

struct version {
	uint32_t magic;
	unsigned int word;
};

static const struct version versions[] = {
	{0xfffffffb, 8}, {0xfffffffb, 4}, {0xfffffffa, 8}, {0xfffffffa, 4},
	{0xfffffff0, 8}, {0xfffffff1, 8}, {0, 0},
};

/* A table that is being written. */
struct written_table {
	unsigned char data[4096];
	size_t size;
};

static void put(struct written_table *bytes, uint64_t number, size_t width)
{
	number = htole64(number);
	memcpy(bytes->data + bytes->size, &number, width);
	bytes->size += width;
}

static void put_at(struct written_table *bytes, size_t at, uint64_t number, size_t width)
{
	number = htole64(number);
	memcpy(bytes->data + at, &number, width);
}

/* Records and names come after funcs, whose offsets count from there. */
static void put_functions(struct written_table *bytes, const struct version *version,
			  size_t records_from, size_t names_from)
{
	const bool relative = version->magic == 0xfffffff0 || version->magic == 0xfffffff1;
	const size_t field = relative ? 4 : version->word;
	const uint64_t base = relative ? 0 : TEXT;
	const size_t funcs = bytes->size;
	size_t i;

	bytes->size += (2 * NR_FUNCTIONS + 1) * field;
	put_at(bytes, bytes->size - field, base + TEXT_END, field);
	for (i = 0; i < NR_FUNCTIONS; i++) {
		const size_t record = bytes->size, name = record + field + 16;

		put_at(bytes, funcs + 2 * i * field, base + functions[i].start, field);
		put_at(bytes, funcs + (2 * i + 1) * field, record - records_from, field);
		put(bytes, base + functions[i].start, field);
		put(bytes, name - names_from, 4);
		put(bytes, 0x1234, 8); /* arguments and such */
		put(bytes, 0, 4);
		strcpy((char *)bytes->data + name, functions[i].name);
		bytes->size = name + strlen(functions[i].name) + 1;
	}
}

static void make_table(struct written_table *bytes, const struct version *version)
{
	const bool relative = version->magic == 0xfffffff0 || version->magic == 0xfffffff1;
	const size_t names = 8 + (relative ? 3 : 2) * version->word;
	size_t funcs;

	memset(bytes, 0, sizeof(*bytes));
	put(bytes, version->magic, 4);
	put(bytes, 0, 2);
	put(bytes, 1, 1);
	put(bytes, version->word, 1);
	put(bytes, NR_FUNCTIONS, version->word);
	if (version->magic == 0xfffffffb) {
		put_functions(bytes, version, 0, 0);
		return;
	}
	bytes->size = names + 5 * version->word;
	funcs = bytes->size;
	if (relative)
		put_at(bytes, 8 + 2 * version->word, TEXT, version->word);
	put_at(bytes, names, funcs, version->word); /* names, from where funcs are */
	put_at(bytes, names + 4 * version->word, funcs, version->word);
	put_functions(bytes, version, funcs, funcs);
}

static void build_text(void)
{
	scratch_write("text.s", ".text\n.globl _start\n_start:\n.skip 0x1000, 0xcc\n");
	scratch_run("cc -nostdlib -static -no-pie -Wl,-Ttext=0x401000 -o text text.s && "
		    "strip text");
}

static struct object *read_table(const struct written_table *bytes)
{
	FILE *file = fopen(scratch_path("table"), "w");

	if (!file || fwrite(bytes->data, 1, bytes->size, file) != bytes->size || fclose(file))
		exit(1);
	scratch_run("objcopy --add-section .gopclntab=table text with_table");
	return read_file(scratch_path("with_table"));
}

static void test_versions(void)
{
	const struct version *version;
	struct written_table bytes;

	build_text();
	for (version = versions; version->magic; version++) {
		make_table(&bytes, version);
		struct object *object = read_table(&bytes);

		EXPECT_EQ(count_ranges(object->table, 0, TEXT + TEXT_BYTES), NR_FUNCTIONS);
		EXPECT_STR(name_at(object, TEXT), "main.main");
		EXPECT_STR(name_at(object, TEXT + 0x3f), "main.main");
		EXPECT_STR(name_at(object, TEXT + 0x40), "main.spin");
		EXPECT_STR(name_at(object, TEXT + TEXT_END - 1), "runtime.mcall");
		EXPECT_STR(name_at(object, TEXT + TEXT_END), NULL);
		free_object(object);
	}
}

/* A table that is wrong somewhere gives no function; a wrong record loses only its own. */
static void test_lies(void)
{
	static const struct lie {
		size_t at;
		uint64_t number;
		size_t width, nr_left;
	} lies[] = {
		{0, 0xfffffff2, 4, 0},	       /* an unknown magic */
		{4, 1, 1, 0},		       /* not zero */
		{6, 3, 1, 0},		       /* length of an instruction */
		{7, 5, 1, 0},		       /* of an address */
		{8, 1ULL << 61, 8, 0},	       /* functions */
		{8, 4, 8, 0},		       /* one more than there is */
		{8, 0, 8, 0},		       /* none */
		{24, TEXT + TEXT_BYTES, 8, 0}, /* begins after the text */
		{24, TEXT - 1, 8, 0},	       /* before it */
		{24, TEXT + 0xfff, 8, 0},      /* reaches over its end */
		{32, 1ULL << 40, 8, 0},	       /* where names are */
		{64, 1ULL << 40, 8, 0},	       /* where functions are */
		{64, UINT64_MAX - 8, 8, 0},
		{72 + 8, 0x00, 4, 0},		 /* two functions at one place */
		{72 + 8, 0x200, 4, 0},		 /* not in order */
		{72 + 12, UINT32_MAX, 4, 2},	 /* a record that is not here */
		{72 + 28 + 4, UINT32_MAX, 4, 2}, /* a name that is not here */
		{72 + 28 + 0, 4, 4, 2},		 /* another function's record */
	};
	const struct version newest = {0xfffffff1, 8};
	struct written_table bytes;
	size_t i;

	for (i = 0; i < sizeof(lies) / sizeof(lies[0]); i++) {
		make_table(&bytes, &newest);
		put_at(&bytes, lies[i].at, lies[i].number, lies[i].width);
		struct object *object = read_table(&bytes);

		const size_t nr = count_ranges(object->table, 0, TEXT + TEXT_BYTES);

		EXPECT_EQ(nr, lies[i].nr_left);
		if (nr != lies[i].nr_left)
			fprintf(stderr, "lie %zu\n", i);
		free_object(object);
	}
}

static void test_cut(void)
{
	const struct version newest = {0xfffffff1, 8};
	struct written_table bytes;
	size_t size;

	make_table(&bytes, &newest);
	for (size = bytes.size; size > 0; size -= size < 5 ? size : 5) {
		bytes.size = size;
		free_object(read_table(&bytes));
	}
}

/* A function that the table names has no other name; the rest may be named by other symbols. */
static void test_debug_file_too(void)
{
	const struct version newest = {0xfffffff1, 8};
	struct object *object;
	struct written_table bytes;

	scratch_write("both.s", ".text\n.globl _start\n_start:\n.skip 0x40, 0xcc\n"
				".type inside,@function\ninside: .skip 0x200, 0xcc\n"
				".size inside, 0x20\n"
				".type outside,@function\noutside: .skip 0x100, 0xcc\n"
				".size outside, .-outside\n.skip 0x1000, 0xcc\n");
	scratch_run(
		"cc -nostdlib -static -no-pie -Wl,-Ttext=0x401000 -Wl,--build-id -o both both.s");
	make_table(&bytes, &newest);
	free_object(read_table(&bytes)); /* writes the file */
	scratch_run("objcopy --only-keep-debug both both.debug && strip both && "
		    "objcopy --add-section .gopclntab=table both && "
		    "objcopy --add-gnu-debuglink=both.debug both && cp both.debug both.link");
	const struct debug_places query = {
		.fd = open(scratch_path("both"), O_RDONLY | O_CLOEXEC),
		.path = scratch_path("both"),
		.root = -1,
	};
	EXPECT_EQ(read_object(&query, &object), 0);
	close(query.fd);
	EXPECT_STR(name_at(object, TEXT), "main.main");
	EXPECT_STR(name_at(object, TEXT + 0x40), "main.spin");
	EXPECT_STR(name_at(object, TEXT + TEXT_END + 0x100), "outside");
	EXPECT_STR(name_at(object, TEXT + TEXT_END + 0x1c0), NULL);
	free_object(object);
}

int main(void)
{
	static const struct test tests[] = {
		{"agrees with go tool nm", test_go},
		{"within another section", test_within_section},
		{"a start that is relocated", test_unrelocated},
		{"every version", test_versions},
		{"lies", test_lies},
		{"every length", test_cut},
		{"beside a debug file", test_debug_file_too},
		{0},
	};

	scratch_create();
	return run_tests("gopclntab", tests);
}
