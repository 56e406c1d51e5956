// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs whose symbols are elsewhere are named as those that have them: a debug file, whole or
 * compressed, mini-debuginfo, a copy below --symfs; and files there that mean harm.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>

#include "elf/symbol_table.h"
#include "expect.h"
#include "own_object.h"
#include "scratch.h"
#include "symbol_ranges.h"

static const char source[] =
	"static int number = 1;\n"
	"__attribute__((noinline)) static int hidden(int x) { return x * 3 + number; }\n"
	"__attribute__((noinline)) int shown(int x) { return hidden(x) + 1; }\n"
	"int main(int argc, char **argv) { (void)argv; return shown(argc); }\n";

static struct object *read_with(const char *name, const char *symfs)
{
	struct object *object = NULL;
	const struct debug_places query = {
		.fd = open(scratch_path(name), O_RDONLY | O_CLOEXEC),
		.path = scratch_path(name),
		.root = -1,
		.symfs = symfs,
	};

	EXPECT_EQ(read_object(&query, &object), 0);
	close(query.fd);
	return object;
}

static const char *name_at(const struct object *object, uint64_t address)
{
	struct found_symbol found;

	return symbol_table__find(object->table, address, &found) ? found.name : NULL;
}

/* How many functions of "whole" another file names alike. */
static int count_named(const char *name, const char *symfs, int *nr_known)
{
	struct object *object = read_with(name, symfs);
	char command[512], line[512], known[256];
	unsigned long start, size;
	int nr = 0;
	FILE *nm;

	*nr_known = 0;
	snprintf(command, sizeof(command), "nm -S '%s' | grep -i ' t '", scratch_path("whole"));
	nm = popen(command, "r");
	while (fgets(line, sizeof(line), nm)) {
		const char *found;

		if (sscanf(line, "%lx %lx %*c %255s", &start, &size, known) != 3)
			continue;
		found = name_at(object, start + size - 1);
		++*nr_known;
		nr += found && !strcmp(found, known);
	}
	pclose(nm);
	free_object(object);
	return nr;
}

static void expect_all_named(const char *name, const char *symfs)
{
	int nr_known, nr = count_named(name, symfs, &nr_known);

	EXPECT(nr_known >= 3);
	EXPECT_EQ(nr, nr_known);
}

/* .dynsym has shown and main, and nothing has hidden. */
static void expect_hidden_unnamed(const char *name, const char *symfs)
{
	int nr_known, nr = count_named(name, symfs, &nr_known);

	EXPECT(nr < nr_known);
	EXPECT(nr > 0);
}

static void test_debug_file(void)
{
	scratch_run("objcopy --add-gnu-debuglink=whole.debug stripped linked");
	expect_all_named("whole", NULL);
	expect_hidden_unnamed("stripped", NULL);
	expect_all_named("linked", NULL);
	scratch_run("objcopy --compress-debug-sections whole.debug whole.small && "
		    "objcopy --add-gnu-debuglink=whole.small stripped small");
	expect_all_named("small", NULL);
	scratch_run("rm whole.small");
	expect_hidden_unnamed("small", NULL);
}

/* A file that keeps a symbol or two of .symtab still has the others in .dynsym. */
static void test_partly_stripped(void)
{
	scratch_run("strip --keep-symbol=hidden -o partly whole && nm partly | grep -q hidden");
	scratch_run("! nm partly | grep -q shown");
	struct object *object = read_with("partly", NULL);
	struct object *whole = read_with("whole", NULL);

	const size_t nr = count_ranges(object->table, 0, 1 << 20);

	EXPECT(nr >= 3); /* hidden, shown, main */
	EXPECT(nr < count_ranges(whole->table, 0, 1 << 20));
	free_object(object);
	free_object(whole);
}

static void test_symfs(void)
{
	scratch_run("mkdir -p symfs\"$PWD\" && cp whole symfs\"$PWD\"/stripped");
	expect_all_named("stripped", scratch_path("symfs"));
	scratch_run("cp other symfs\"$PWD\"/stripped");
	expect_hidden_unnamed("stripped", scratch_path("symfs"));
	expect_hidden_unnamed("stripped", "/nonexistent");
}

/* Mini-debuginfo leaves out the symbols of .dynsym, as gdb's manual says. */
static void test_mini_debug(void)
{
	scratch_run("nm -D whole --format=posix --defined-only | cut -d' ' -f1 | sort > dynamic && "
		    "nm whole --format=posix --defined-only | grep -i ' t ' | cut -d' ' -f1 | "
		    "sort > all && comm -13 dynamic all > kept && "
		    "objcopy -S --keep-symbols=kept whole.debug mini && xz -kf mini && "
		    "objcopy --add-section .gnu_debugdata=mini.xz stripped with_mini");
	scratch_run("nm mini | grep -q hidden");
	scratch_run("! nm mini | grep -q shown");
	expect_all_named("with_mini", NULL);
	scratch_run("head -c 200 mini.xz > cut.xz && "
		    "objcopy --add-section .gnu_debugdata=cut.xz stripped with_cut");
	expect_hidden_unnamed("with_cut", NULL);
	scratch_run("echo text > text && xz -kf text && "
		    "objcopy --add-section .gnu_debugdata=text.xz stripped with_text");
	expect_hidden_unnamed("with_text", NULL);
}

/* Symbols, and then 256 MB of zeros, in 40 KB: it is given up early. */
static void test_mini_debug_bomb(void)
{
	struct elf_file file, mini;
	int fd;

	scratch_run("(cat mini; head -c 256M /dev/zero) | xz -0 > bomb.xz && "
		    "objcopy --add-section .gnu_debugdata=bomb.xz stripped with_bomb");
	expect_hidden_unnamed("with_bomb", NULL);
	fd = open(scratch_path("with_bomb"), O_RDONLY | O_CLOEXEC);
	EXPECT_EQ(elf_file__open(&file, fd), 0);
	EXPECT_EQ(debug_files__open_mini(&file, &mini), -ENOENT);
	elf_file__close(&file);
	close(fd);
}

int main(void)
{
	static const struct test tests[] = {
		{"a debug file", test_debug_file},
		{"partly stripped", test_partly_stripped},
		{"--symfs", test_symfs},
		{"mini-debuginfo", test_mini_debug},
		{"mini-debuginfo that explodes", test_mini_debug_bomb},
		{0},
	};

	scratch_create();
	scratch_write("source.c", source);
	scratch_run("cc -g -O1 -rdynamic -Wl,--build-id -o whole source.c && "
		    "cc -g -O2 -rdynamic -Wl,--build-id -o other source.c && "
		    "objcopy --only-keep-debug whole whole.debug && strip -o stripped whole");
	return run_tests("stripped", tests);
}
